import { parseArgs } from "node:util";
import { ruleSentence } from "#contract/text/validation.ts";
import { ConfigError } from "../config/config.ts";
import { type FolderFault, folderFaultOf } from "../config/folder-fault.ts";
import { Failure } from "../failure.ts";
import { StoreFailure } from "../files/stores/file-store.ts";
import { commands } from "./all-commands.ts";
import { Call, type Command, type ExitWord, exitCodes, type Outcome, Refusal, type World } from "./command.ts";
import { findInstallation, type Installation, installationLine } from "./installation.ts";

const commonOptions = {
  json: { type: "boolean" },
  yes: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** Runs the command of a command line. @returns the exit code */
export async function runAdmin(words: string[], world: World): Promise<number> {
  const isJson = words.includes("--json");
  const printed: World = {
    ...world,
    out: (line) => world.out(printable(line)),
    err: (line) => world.err(printable(line)),
  };
  try {
    const outcome = await runCommand(words, printed);
    if (!outcome) return exitCodes.done;
    const { data, lines, word = "done" } = outcome;
    const result = { ok: word === "done", ...(word !== "done" && { code: word }), ...installationOf(world), ...data };
    if (isJson) world.out(jsonLine(result));
    else for (const line of lines) printed.out(line);
    return exitCodes[word];
  } catch (error) {
    const { sentence, word } = failureOf((await folderFault(error, world)) ?? error);
    if (isJson) world.out(jsonLine({ ok: false, code: word, error: sentence, ...installationOf(world) }));
    else printed.err(sentence);
    return exitCodes[word];
  }
}

/** Returns the outcome of the command; `undefined` after printing requested help. */
async function runCommand(words: string[], world: World): Promise<Outcome | undefined> {
  const command = findCommand(words);
  if (!command) {
    const isAskedFor = words.length === 0 || words.includes("--help") || words.includes("-h") || words[0] === "help";
    for (const line of overview()) (isAskedFor ? world.out : world.err)(line);
    if (isAskedFor) return undefined;
    throw new Refusal(`There is no command “${words.join(" ")}”.`, "usage");
  }
  const { values, positionals } = readWords(command, words.slice(command.name.split(" ").length));
  if (values.help === true) {
    for (const line of helpOf(command)) world.out(line);
    return undefined;
  }
  const { min, max } = command.operands ?? { min: 0, max: 0 };
  if (positionals.length < min || positionals.length > max) {
    throw new Refusal(`Usage: ${command.name} ${command.usage}`.trimEnd(), "usage");
  }
  const { installation } = installationOf(world);
  if (installation) world.err(installationLine(installation));
  return await command.run(new Call(world, positionals, values));
}

function installationOf(world: World): { installation?: Installation } {
  const installation = findInstallation(world);
  return installation ? { installation } : {};
}

function findCommand(words: string[]): Command | undefined {
  return commands.find(({ name }) => name.split(" ").every((part, at) => words[at] === part));
}

function readWords(command: Command, words: string[]) {
  try {
    const options = { ...command.options, ...commonOptions };
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
    return { values: values as Readonly<Record<string, unknown>>, positionals };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal(`${reason}\nUsage: ${command.name} ${command.usage}`.trimEnd(), "usage", { cause: error });
  }
}

/** Returns the fault of the data folder that explains an error; undefined if there is none. */
async function folderFault(error: unknown, world: World): Promise<FolderFault | undefined> {
  const { installation } = installationOf(world);
  return installation && folderFaultOf(error instanceof Refusal ? error.cause : error, installation.dataDir);
}

function failureOf(error: unknown): { sentence: string; word: ExitWord } {
  if (error instanceof Refusal) return { sentence: error.message, word: error.word };
  if (error instanceof ConfigError) return { sentence: error.message, word: "usage" };
  if (error instanceof StoreFailure) return { sentence: error.reason, word: "failed" };
  if (error instanceof Failure) {
    const [issue] = error.issues;
    return { sentence: issue ? ruleSentence(issue.field, issue) : error.message, word: "refused" };
  }
  return { sentence: error instanceof Error ? error.message : String(error), word: "failed" };
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}]/gu;

/**
 * Serialises as one line of JSON. Escapes control and format characters, so that no character is lost and none can
 * control the terminal.
 */
function jsonLine(value: object): string {
  return JSON.stringify(value).replaceAll(UNPRINTABLE, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(""),
  );
}

const escaped = (unit: number) => `\\u${unit.toString(16).padStart(4, "0")}`;

/**
 * Replaces control and format characters by U+FFFD. Untrusted text (user agents, addresses) must not inject escape
 * sequences into the terminal.
 */
function printable(line: string): string {
  return line.replaceAll(UNPRINTABLE, (character) => (character === "\n" ? character : "\uFFFD"));
}

function overview(): string[] {
  return [
    "Administers an installation. Reads the same environment as the server.",
    "",
    ...commands.map(({ name, usage, summary }) => `  ${`${name} ${usage}`.trim()}\n      ${summary}`),
    "",
    "Each command takes --json (one line of JSON) and --help; a command that destroys data asks first, or takes --yes.",
  ];
}

function helpOf({ name, usage, summary, details = [] }: Command): string[] {
  return [`${name} ${usage}`.trim(), "", summary, ...(details.length > 0 ? ["", ...details] : [])];
}
