import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { root } from "../child.mjs";
import { UNRELEASED } from "./changelog.ts";
import { fixtureProblems, readVersions } from "./repository.ts";

const command = join(import.meta.dirname, "run.ts");
let folder: string;

const identity = { GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.org" };
const env = {
  ...{ PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1", ...identity },
  ...{ GIT_COMMITTER_NAME: "Ada", GIT_COMMITTER_EMAIL: "ada@example.org" },
};

function run(program: string, args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stdout}${stderr}`);
  return stdout.trim();
}
const git = (...args: string[]) => run("git", args);

function release(...args: string[]): { status: number | null; stdout: string; problems: string[] } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  return { status, stdout, problems: stderr.trim().split("\n").filter(Boolean) };
}

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function commit(files: Record<string, string>): void {
  write(files);
  git("add", "--all");
  git("commit", "--quiet", "--message", "all: change");
}

const versionFiles = (version: string) => ({
  "package.json": JSON.stringify({ version }),
  "package-lock.json": JSON.stringify({ version, packages: { "": { version } } }),
});
const fixture = (version: string, migration: string) =>
  Object.fromEntries(
    ["sqlite", "postgres"].map((kind) => [
      `testing/fixtures/releases/v${version}.${kind}.sql`,
      `insert into kysely_migration values ('${migration}');`,
    ]),
  );
const released = (...versions: string[]) => ({
  "testing/database/released.ts": `export const releases = ${JSON.stringify(versions.map((version) => `v${version}`))};`,
});
const head = "# Changelog\n\n## [Unreleased]\n\n";
const first = "## [0.1.0] - 2026-01-02\n\n### Added\n\n- All.\n";
const second = "## [0.2.0] - 2026-02-03\n\n### Added\n\n- Tools.\n\n### Fixed\n\n- # is no comment.\n\n";

const makeFolder = () => mkdtempSync(join(tmpdir(), "parley-release-"));
const template = makeFolder();
beforeAll(() => {
  folder = template;
  git("init", "--quiet", "--initial-branch", "main");
  commit({
    ...versionFiles("0.2.0"),
    ...fixture("0.1.0", "0001-initial"),
    ...fixture("0.2.0", "0002-next"),
    ...released("0.1.0", "0.2.0"),
    "server/database/migrations/0001-initial.ts": "",
    "server/database/migrations/0002-next.ts": "",
    "CHANGELOG.md": `${head}${second}${first}`,
  });
});
afterAll(() => rmSync(template, { recursive: true }));
beforeEach(() => {
  folder = makeFolder();
  cpSync(template, folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a release makes an annotated tag with the section of the changelog, and says how to push it", () => {
  const { status, stdout, problems } = release();
  expect([status, problems]).toEqual([0, []]);
  expect(stdout).toContain("git push origin main v0.2.0");
  expect(git("cat-file", "-t", "v0.2.0")).toBe("tag");
  const message = git("tag", "--list", "--format=%(contents)", "v0.2.0");
  expect(message).toBe("Parley 0.2.0\n\n### Added\n\n- Tools.\n\n### Fixed\n\n- # is no comment.");
});

test("a release pushes nothing, although the repository has a remote", () => {
  const remote = `${folder}.git`;
  try {
    run("git", ["init", "--quiet", "--bare", remote]);
    git("remote", "add", "origin", remote);
    expect(release().status).toBe(0);
    expect(git("ls-remote", "origin")).toBe("");
  } finally {
    rmSync(remote, { recursive: true });
  }
});

test("--check finds a release without problems and makes no tag", () => {
  expect(release("--check")).toEqual({ status: 0, stdout: "0.2.0 can be released.\n", problems: [] });
  expect(git("tag")).toBe("");
});

test.each<[string, Record<string, string>, string]>([
  [
    "another version in the lockfile",
    { "package-lock.json": versionFiles("0.1.0")["package-lock.json"] },
    "package-lock.json has the version 0.1.0.",
  ],
  [
    "a version with a suffix",
    versionFiles("0.2.0-rc.1"),
    "The version 0.2.0-rc.1 of package.json has not the form 1.2.3.",
  ],
  [
    "a version without a section of the changelog",
    versionFiles("0.3.0"),
    'CHANGELOG.md has no section "## [0.3.0]" below',
  ],
  [
    "a changelog without a place for unreleased changes",
    { "CHANGELOG.md": `# Changelog\n\n${second}` },
    'CHANGELOG.md does not begin with "## [Unreleased]".',
  ],
  [
    "changes that are still unreleased",
    { "CHANGELOG.md": `${head}- More.\n\n${second}` },
    'CHANGELOG.md still has lines under "Unreleased"',
  ],
  [
    "an empty section of the changelog",
    { "CHANGELOG.md": `${head}## [0.2.0] - 2026-02-03\n\n${first}` },
    "The section 0.2.0 of CHANGELOG.md is empty.",
  ],
  [
    "a section without a date",
    { "CHANGELOG.md": `${head}${second.replace(" - 2026-02-03", "")}` },
    "The section 0.2.0 of CHANGELOG.md needs its date",
  ],
  [
    "a date that no calendar has",
    { "CHANGELOG.md": `${head}${second.replace("02-03", "02-30")}` },
    "The section 0.2.0 of CHANGELOG.md needs its date",
  ],
  [
    "a date in the future",
    { "CHANGELOG.md": `${head}${second.replace("2026", "9999")}` },
    "The section 0.2.0 of CHANGELOG.md needs its date",
  ],
  [
    "sections in another order",
    {
      "CHANGELOG.md": `${head}${second}${first}${first.replace("0.1.0", "0.1.1")}`,
      ...fixture("0.1.1", "0001-initial"),
    },
    "The versions of CHANGELOG.md are not in order",
  ],
  [
    "a version without its databases",
    { "CHANGELOG.md": `${head}${second}${first.replace("0.1.0", "0.1.5")}` },
    "testing/fixtures/releases/v0.1.5.sqlite.sql and testing/fixtures/releases/v0.1.5.postgres.sql do not exist",
  ],
  ["databases that no test loads", released("0.2.0"), 'testing/database/released.ts does not name "v0.1.0".'],
  [
    "databases from before the last migration",
    { "server/database/migrations/0003-late.ts": "" },
    "The databases of 0.2.0 lack 0003-late",
  ],
])("a release is refused for %s", (_, files, sentence) => {
  commit(files);
  const { status, problems } = release();
  expect(status).toBe(1);
  expect(
    problems.some((problem) => problem.startsWith(`✗ ${sentence}`)),
    problems.join("\n"),
  ).toBe(true);
  expect(git("tag")).toBe("");
});

test("a release is refused for changes that are not committed", () => {
  write({ "new.txt": "" });
  expect(release().problems).toEqual(["✗ The tree has changes that are not committed."]);
});

test("a release is refused on another branch, and without one", () => {
  git("checkout", "--quiet", "-b", "feature");
  expect(release().problems).toEqual(["✗ Releases are made on main; this is feature."]);
  git("checkout", "--quiet", "--detach");
  expect(release().problems).toEqual(["✗ Releases are made on main; this is no branch."]);
});

test("a release is refused if its tag exists, or a newer one", () => {
  git("tag", "v0.2.0");
  expect(release().problems).toEqual(["✗ The tag v0.2.0 exists already."]);
  git("tag", "v0.10.0");
  git("tag", "--delete", "v0.2.0");
  expect(release("--check").problems).toEqual(["✗ v0.10.0 is released already, and is newer than 0.2.0."]);
});

test("--tagged accepts the tagged commit of main only, with an annotated tag of its version", () => {
  const untagged = "✗ This commit does not have the tag v0.2.0 of its package.json.";
  expect(release("--tagged").problems).toEqual([untagged]);
  expect(release().status).toBe(0);
  git("checkout", "--quiet", "--detach", "v0.2.0");
  expect(release("--tagged").problems).toEqual([]);
  commit({ "more.txt": "" });
  expect(release("--tagged").problems).toEqual([untagged, "✗ This commit is not on main."]);
  git("checkout", "--quiet", "main");
  git("tag", "--force", "v0.2.0", "HEAD");
  expect(release("--tagged").problems).toEqual(["✗ The tag v0.2.0 is not annotated."]);
});

test("--notes prints the section of the version", () => {
  expect(release("--notes").stdout).toBe("### Added\n\n- Tools.\n\n### Fixed\n\n- # is no comment.\n");
});

const tagsOf = (version: string) => {
  write(versionFiles(version));
  return /tags=(.*)/.exec(release("--image", "registry.example.org/team/parley").stdout)?.[1]?.split(",");
};
const named = (...tags: string[]) => tags.map((tag) => `registry.example.org/team/parley:${tag}`);

test("the image of a version gets its short tags, and no 0", () => {
  expect(tagsOf("0.2.0")).toEqual(named("0.2.0", "0.2"));
  expect(tagsOf("1.2.3")).toEqual(named("1.2.3", "1.2", "1"));
});

test("a short tag of the image never moves back to an older version", () => {
  for (const version of ["1.2.3", "1.10.0", "2.0.0"]) git("tag", `v${version}`);
  expect(tagsOf("1.2.4")).toEqual(named("1.2.4", "1.2"));
  expect(tagsOf("1.2.2")).toEqual(named("1.2.2"));
  expect(tagsOf("1.10.1")).toEqual(named("1.10.1", "1.10", "1"));
});

test.each([
  "",
  "parley",
  "https://registry.example.org/parley",
  "registry.example.org/a b",
  "registry.example.org/a\nb=c",
])("the name %j of an image is refused", (name) => {
  const { status, stdout, problems } = release("--image", name);
  expect([status, stdout]).toEqual([1, ""]);
  expect(problems.join("\n")).toContain("set the variable IMAGE");
});

test("this repository states one version everywhere, with the databases of each version in its changelog", () => {
  const { version, lockfile, changelog } = readVersions(root);
  const listed = changelog.slice(1).map((section) => section.version);
  expect(lockfile).toEqual([version, version]);
  expect([changelog[0]?.version, listed[0]]).toEqual([UNRELEASED, version]);
  expect(fixtureProblems(root, listed)).toEqual([]);
});
