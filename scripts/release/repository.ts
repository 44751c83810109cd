import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ChangelogSection, readChangelog } from "./changelog.ts";
import { compareVersions, isVersion } from "./versions.ts";

/** A refusal that is printed as it is, without a stack. */
export class Refusal extends Error {}

/** Runs git in a folder and returns its trimmed output; undefined if it fails. */
export function git(folder: string, ...args: string[]): string | undefined {
  const { status, stdout } = spawnSync("git", args, { cwd: folder, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/** Returns the root of the repository of the working directory. */
export function findRepository(): string {
  const found = git(process.cwd(), "rev-parse", "--show-toplevel");
  if (found === undefined) throw new Refusal("This is no git repository.");
  return found;
}

const readJson = (...path: string[]) => JSON.parse(readFileSync(join(...path), "utf8"));

/** Versions as package.json, the lockfile's two fields and CHANGELOG.md state them. */
export type StatedVersions = { version: string; lockfile: [string, string]; changelog: ChangelogSection[] };

/** Reads what the files of the repository say about its version. */
export function readVersions(root: string): StatedVersions {
  const lockfile = readJson(root, "package-lock.json");
  return {
    version: readJson(root, "package.json").version,
    lockfile: [lockfile.version, lockfile.packages[""].version],
    changelog: readChangelog(readFileSync(join(root, "CHANGELOG.md"), "utf8")),
  };
}

/** Returns the versions that have a tag `v1.2.3`, oldest first. */
export function releasedVersions(root: string): string[] {
  const tags = (git(root, "tag", "--list", "v*") ?? "").split("\n");
  return tags
    .map((tag) => tag.slice(1))
    .filter(isVersion)
    .sort(compareVersions);
}

const FIXTURES = "testing/fixtures/releases";
const MIGRATIONS = "server/database/migrations";
const MAKER = "node testing/fixtures/make-release-fixture.ts";

/**
 * Returns a sentence for each version whose database is not stored for the upgrade tests. The fixture of `newest` must
 * have the last migration; those of others never change.
 */
export function fixtureProblems(root: string, versions: readonly string[], newest?: string): string[] {
  const tested = readFileSync(join(root, "testing/database/released.ts"), "utf8");
  const migrations = readdirSync(join(root, MIGRATIONS)).filter((name) => /^\d{4}-.*\.ts$/.test(name));
  const last = migrations.sort().at(-1)?.replace(/\.ts$/, "");
  return versions.flatMap((version) => {
    const files = ["sqlite", "postgres"].map((kind) => `${FIXTURES}/v${version}.${kind}.sql`);
    const missing = files.filter((file) => !existsSync(join(root, file)));
    if (missing.length > 0) return [`${missing.join(" and ")} do not exist: run ${MAKER}.`];
    const isOld = (file: string) => !readFileSync(join(root, file), "utf8").includes(`'${last}'`);
    return [
      ...(tested.includes(`"v${version}"`) ? [] : [`testing/database/released.ts does not name "v${version}".`]),
      ...(version === newest && files.some(isOld) ? [`The databases of ${version} lack ${last}: run ${MAKER}.`] : []),
    ];
  });
}
