import type { parseArgs } from "node:util";
import { type Config, type Environment, parseConfig, type Secrets } from "../config/config.ts";
import type { ReadSecretFile } from "../config/secret-files.ts";

/** What the process ends with; documented in docs/operation.md. */
export const exitCodes = {
  done: 0,
  /** Something went wrong on the way. */
  failed: 1,
  /** The command or the configuration cannot be understood. */
  usage: 2,
  /** Nothing was done: something stands in the way, or nobody has agreed. */
  refused: 3,
  /** Done, and what was looked for was found wrong. */
  unsound: 4,
} as const;
export type ExitWord = keyof typeof exitCodes;

/** Ends a command with a sentence for the console. */
export class Refusal extends Error {
  readonly word: ExitWord;

  constructor(sentence: string, word: ExitWord = "refused", options?: ErrorOptions) {
    super(sentence, options);
    this.word = word;
  }
}

/** Where commands run: the process, or a test. */
export type World = {
  env: Environment;
  /** Reads a file that a `<NAME>_FILE` of `env` names. */
  readFile: ReadSecretFile;
  /** Of this program. */
  version: string;
  /** What was asked for; a line. */
  out(line: string): void;
  /** All else; a line. */
  err(line: string): void;
  /** The person's answer; none where nobody is at the console. */
  ask?: (question: string) => Promise<string>;
  /** All of what is piped in. */
  readInput(): Promise<string>;
};

type Options = NonNullable<Parameters<typeof parseArgs>[0]>["options"];

/** `data`: with --json, a stable shape; `lines`: the same for people. */
export type Outcome = { data: Record<string, unknown>; lines: string[]; word?: ExitWord };

export type Command = {
  /** As it is typed. */
  name: string;
  /** What follows the name, for people. */
  usage: string;
  summary: string;
  /** What the options are for, a line each. */
  details?: string[];
  options?: Options;
  operands?: { min: number; max: number };
  run(call: Call): Promise<Outcome>;
};

/** One use of a command. */
export class Call {
  readonly world: World;
  readonly operands: readonly string[];
  readonly #values: Readonly<Record<string, unknown>>;
  #configuration: { config: Config; secrets: Secrets } | undefined;

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

  has(option: string): boolean {
    return this.#values[option] === true;
  }

  /** @throws ConfigError */
  configuration(): { config: Config; secrets: Secrets } {
    this.#configuration ??= parseConfig(this.world.env, this.world.readFile);
    return this.#configuration;
  }

  /** Says what is about to be done. */
  print(line: string): void {
    this.world.err(line);
  }

  /**
   * Says what is about to be destroyed, and goes on only where somebody wants that.
   * @throws Refusal
   */
  async confirm(line: string): Promise<void> {
    this.print(line);
    if (this.has("yes")) return;
    const { ask } = this.world;
    if (!ask) throw new Refusal("Nothing was done: add --yes to agree, as nobody is here to be asked.");
    const answer = await ask("Go on? [y/N] ");
    if (!/^y(es)?$/i.test(answer.trim())) throw new Refusal("Nothing was done.");
  }
}

/** Rows under headings, padded to columns. */
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

/** Ms since 1970, for people; a dash where never. */
export const toTime = (at: number | null) =>
  at === null ? "–" : new Date(at).toISOString().replace(/:\d\d\.\d+Z$/, "Z");
