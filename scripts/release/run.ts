// `npm run release`: checks that the version of package.json can be released, and makes its annotated tag. It never
// pushes. docs/releasing.md has the steps around it.
import process from "node:process";
import { parseArgs } from "node:util";
import { MAIN, type ReleaseState, releaseProblems } from "./checks.ts";
import { findRepository, git, Refusal, readVersions, releasedVersions } from "./repository.ts";
import { imageTags } from "./versions.ts";

const usage = `npm run release               checks everything, and makes the annotated tag
npm run release -- --check    checks everything, and changes nothing
npm run release -- --tagged   checks the commit of a tag, as the release workflow does
npm run release -- --notes    prints the section of the version in CHANGELOG.md
npm run release -- --image NAME   prints version, host and tags of the image NAME, as outputs of a workflow
`;

/** Throws a refusal with each problem of the release on a line. */
function check(root: string, state: ReleaseState): void {
  const problems = releaseProblems(root, state, Date.now());
  if (problems.length > 0) throw new Refusal(problems.map((problem) => `✗ ${problem}`).join("\n"));
}

function makeTag(root: string, version: string, notes: string): string {
  const tag = `v${version}`;
  if (
    git(root, "tag", "--annotate", tag, "--cleanup=verbatim", "--message", `Parley ${version}\n\n${notes}`) ===
    undefined
  )
    throw new Refusal(`git could not make the tag ${tag}: are user.name and user.email set?`);
  return `Made the tag ${tag}. Nothing was pushed. Next:
  git push origin ${MAIN} ${tag}     starts the release workflow
  git tag --delete ${tag}            takes it back, before it is pushed
`;
}

function imageOutputs(root: string, version: string, name: string): string {
  const [host = "", ...path] = name.split("/");
  const isName = /^[a-z0-9.-]+(?::\d+)?$/.test(host) && path.every((segment) => /^[a-z0-9._-]+$/.test(segment));
  if (!isName || path.length === 0)
    throw new Refusal(`"${name}" is no name of an image: set the variable IMAGE of the repository to host/name.`);
  const tags = imageTags(version, releasedVersions(root)).map((tag) => `${name}:${tag}`);
  return `version=${version}\nhost=${host}\ntags=${tags.join(",")}\n`;
}

function run(args: string[]): string {
  const boolean = { type: "boolean" as const };
  const options = {
    check: boolean,
    tagged: boolean,
    notes: boolean,
    image: { type: "string" as const },
    help: boolean,
  };
  const { values } = parseArgs({ args, options });
  if (values.help) return usage;
  const root = findRepository();
  const { version, changelog } = readVersions(root);
  const notes = changelog.find((section) => section.version === version)?.body ?? "";
  if (values.notes) return `${notes}\n`;
  if (values.image !== undefined) return imageOutputs(root, version, values.image);
  check(root, values.tagged ? "tagged" : "untagged");
  if (values.check || values.tagged) return `${version} can be released.\n`;
  return makeTag(root, version, notes);
}

try {
  process.stdout.write(run(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
