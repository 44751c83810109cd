// Checks that the commits after FIRST have subjects of the form `area: imperative sentence`. Run by `.ci/run`.
import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { root } from "./child.mjs";

/** Older commits have subjects in other forms. */
const FIRST = "48596cc";
const MAX_CHARACTERS = 72;

const FORM = /^[a-z0-9.-]+(, [a-z0-9.-]+)*: (?<verb>[a-z]+)\b/;
/** Endings of other verb forms ("adds", "added", "adding"), and imperatives that end like these. */
const OTHER_FORM = /(?:[^s]s|ed|ing)$/;
const IMPERATIVES = new Set(["bring", "embed", "exceed", "feed", "focus", "need", "proceed", "seed", "speed"]);

/** Returns a sentence for each rule that the subject of a commit breaks. */
export function subjectProblems(subject: string): string[] {
  const verb = FORM.exec(subject)?.groups?.verb;
  return [
    ...(verb === undefined ? ["It does not begin with `area: ` and a verb in lower case."] : []),
    ...(verb && OTHER_FORM.test(verb) && !IMPERATIVES.has(verb) ? [`"${verb}" is not an imperative.`] : []),
    ...(subject.length > MAX_CHARACTERS ? [`It has ${subject.length} characters, of ${MAX_CHARACTERS} allowed.`] : []),
    ...(subject.endsWith(".") ? ["It ends with a full stop."] : []),
  ];
}

function git(...args: string[]): string | undefined {
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout : undefined;
}

/** Prints the problems. @returns whether there are none; true if this is no git repository or FIRST is not in it */
function checkCommits(): boolean {
  if (git("merge-base", "--is-ancestor", FIRST, "HEAD") === undefined) {
    process.stdout.write(`Commit messages are not checked: no git history with ${FIRST}.\n`);
    return true;
  }
  const subjects = (git("log", "--no-merges", "--format=%h %s", `${FIRST}..HEAD`) ?? "").split("\n").filter(Boolean);
  const problems = subjects.flatMap((line) => {
    const subject = line.slice(line.indexOf(" ") + 1);
    return subjectProblems(subject).map((problem) => `${line}\n  ${problem}\n`);
  });
  process.stdout.write(`${problems.join("")}${subjects.length} commit messages checked, ${problems.length} problems\n`);
  return problems.length === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) process.exitCode = checkCommits() ? 0 : 1;
