import type { parseArgs } from "node:util";
import * as z from "zod/mini";
import { fieldIssues, ruleSentence } from "#contract/text/validation.ts";
import { type Environment, type ParsedConfig, parseConfig } from "../config/config.ts";
import type { ReadSecretFile } from "../config/secret-files.ts";

/** Exit codes of the process; documented in docs/operation.md. */
export const exitCodes = {
  done: 0,
  /** An unexpected error occurred. */
  failed: 1,
  /** The command or the configuration is invalid. */
  usage: 2,
  /** Nothing was done: a precondition is not met, or the user has not confirmed. */
  refused: 3,
  /** Done, and the check found problems. */
  unsound: 4,
} as const;
export type ExitWord = keyof typeof exitCodes;

/** Ends a command with a message for the console. */
export class Refusal extends Error {
  readonly word: ExitWord;

  constructor(sentence: string, word: ExitWord = "refused", options?: ErrorOptions) {
    super(sentence, options);
    this.word = word;
  }
}

/** Environment of commands: the process, or a test. */
export type World = {
  env: Environment;
  /** Reads a file that a `<NAME>_FILE` variable of `env` names. */
  readFile: ReadSecretFile;
  /** Version of this program. */
  version: string;
  /** Prints a line of the result to stdout. */
  out(line: string): void;
  /** Prints any other line to stderr. */
  err(line: string): void;
  /** Asks the user and returns the answer; missing if there is no terminal. */
  ask?: (question: string) => Promise<string>;
  /** Calls a listener at the first SIGINT or SIGTERM; the next one ends the process. @returns a function that removes it */
  onInterrupt?: (listener: () => void) => () => void;
  /** Reads stdin to its end. */
  readInput(): Promise<string>;
};

type Options = NonNullable<Parameters<typeof parseArgs>[0]>["options"];

/** `data`: the result for --json, of a stable shape; `lines`: the same for people. */
export type Outcome = { data: Record<string, unknown>; lines: string[]; word?: ExitWord };

export type Command = {
  /** The words that select the command. */
  name: string;
  /** Operands and options, for the help text. */
  usage: string;
  summary: string;
  /** Further lines of the help text. */
  details?: string[];
  options?: Options;
  operands?: { min: number; max: number };
  run(call: Call): Promise<Outcome>;
};

/** One invocation of a command. */
export class Call {
  readonly world: World;
  readonly operands: readonly string[];
  readonly #values: Readonly<Record<string, unknown>>;
  #configuration: ParsedConfig | undefined;

  constructor(world: World, operands: readonly string[], values: Readonly<Record<string, unknown>>) {
    this.world = world;
    this.operands = operands;
    this.#values = values;
  }

  operand(at: number): string {
    return this.operands[at] ?? "";
  }

  text(option: string): string | undefined {
    const value = this.#values[option];
    return typeof value === "string" ? value : undefined;
  }

  /** Returns the values of an option that can be repeated; none if it is absent. */
  texts(option: string): readonly string[] {
    const values = this.#values[option];
    return Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
  }

  has(option: string): boolean {
    return this.#values[option] === true;
  }

  /** @throws ConfigError */
  configuration(): ParsedConfig {
    this.#configuration ??= parseConfig(this.world.env, this.world.readFile);
    return this.#configuration;
  }

  /** Announces the next action on stderr. */
  print(line: string): void {
    this.world.err(line);
  }

  /**
   * Announces what is about to be destroyed, and asks for confirmation unless --yes is given.
   * @throws Refusal if the user does not confirm, or cannot be asked
   */
  async confirm(line: string): Promise<void> {
    this.print(line);
    if (this.has("yes")) return;
    const { ask } = this.world;
    if (!ask)
      throw new Refusal("Nothing was done: no terminal is available to ask for confirmation; add --yes to confirm.");
    const answer = await ask("Continue? [y/N] ");
    if (!/^y(es)?$/i.test(answer.trim())) throw new Refusal("Nothing was done.");
  }
}

/** Formats rows under headings, padded to columns. */
export function toTable(headings: string[], rows: string[][]): string[] {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => [...(row[column] ?? "")].length)));
  return all.map((row) =>
    row
      .map((cell, column) => cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - [...cell].length)))
      .join("  ")
      .trimEnd(),
  );
}

/** Formats a Unix time in ms for people; a dash for `null`. */
export const toTime = (at: number | null) =>
  at === null ? "–" : new Date(at).toISOString().replace(/:\d\d\.\d+Z$/, "Z");

/**
 * Parses the fields that a command was given by the schema of a request.
 * @param otherwise sentence for a problem of no field
 * @throws Refusal of usage
 */
export function parseFields<T extends z.core.$ZodType>(
  schema: T,
  given: Record<string, unknown>,
  otherwise: string,
): z.output<T> {
  const result = z.safeParse(schema, given);
  if (result.success) return result.data;
  const [issue] = fieldIssues(result.error.issues);
  throw new Refusal(issue ? `${ruleSentence(issue.field, issue)}.` : otherwise, "usage");
}
