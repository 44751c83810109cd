import { changelogProblems, UNRELEASED } from "./changelog.ts";
import { fixtureProblems, git, readVersions, releasedVersions } from "./repository.ts";
import { compareVersions, isVersion } from "./versions.ts";

export const MAIN = "main";

/** State of the repository: `untagged` before the tag is made, `tagged` on the commit of the tag, as in a workflow. */
export type ReleaseState = "untagged" | "tagged";

/** Returns a sentence for each reason why the version of package.json cannot be released from this commit. */
export function releaseProblems(root: string, state: ReleaseState, nowMs: number): string[] {
  const { version, lockfile, changelog } = readVersions(root);
  if (!isVersion(version)) return [`The version ${version} of package.json has not the form 1.2.3.`];
  const listed = changelog.map((section) => section.version).filter((name) => name !== UNRELEASED);
  return [
    ...(git(root, "status", "--porcelain") === "" ? [] : ["The tree has changes that are not committed."]),
    ...(state === "tagged" ? tagProblems(root, version) : branchProblems(root, version)),
    ...lockfile.flatMap((locked) => (locked === version ? [] : [`package-lock.json has the version ${locked}.`])),
    ...changelogProblems(changelog, version, nowMs),
    ...orderProblems(listed),
    ...fixtureProblems(root, [...new Set([version, ...listed])], version),
  ];
}

function branchProblems(root: string, version: string): string[] {
  const branch = git(root, "symbolic-ref", "--short", "HEAD") ?? "no branch";
  const released = releasedVersions(root);
  const newest = released.at(-1);
  return [
    ...(branch === MAIN ? [] : [`Releases are made on ${MAIN}; this is ${branch}.`]),
    ...(released.includes(version) ? [`The tag v${version} exists already.`] : []),
    ...(newest !== undefined && compareVersions(newest, version) > 0
      ? [`v${newest} is released already, and is newer than ${version}.`]
      : []),
  ];
}

function tagProblems(root: string, version: string): string[] {
  const tag = `v${version}`;
  const head = git(root, "rev-parse", "HEAD");
  const main = ["refs/remotes/origin/", "refs/heads/"].map((prefix) => `${prefix}${MAIN}`);
  const isOnMain = main.some((ref) => git(root, "merge-base", "--is-ancestor", "HEAD", ref) !== undefined);
  return [
    ...(git(root, "rev-parse", "--verify", "--quiet", `refs/tags/${tag}^{commit}`) === head
      ? []
      : [`This commit does not have the tag ${tag} of its package.json.`]),
    ...(git(root, "cat-file", "-t", `refs/tags/${tag}`) === "commit" ? [`The tag ${tag} is not annotated.`] : []),
    ...(isOnMain ? [] : [`This commit is not on ${MAIN}.`]),
  ];
}

function orderProblems(listed: readonly string[]): string[] {
  const wrong = listed.filter((name) => !isVersion(name));
  if (wrong.length > 0) return [`CHANGELOG.md has a section ${wrong.join(", ")}, which is no version.`];
  const isOrdered = listed.every((name, index) => index === 0 || compareVersions(listed[index - 1] ?? "", name) > 0);
  return isOrdered ? [] : ["The versions of CHANGELOG.md are not in order, the newest first."];
}
