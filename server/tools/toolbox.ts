import { createHash } from "node:crypto";
import { KeyedSemaphore, type SemaphoreLimits } from "../concurrency/keyed-semaphore.ts";
import type { Tool, ToolGroup } from "./tool.ts";

/** Longest name that every API accepts. */
const NAME_MAX = 64;
const HASH_CHARS = 8;

/** A tool under the name by which models call it. `schemaDigest`: changes with what the tool says of itself. */
export type NamedTool = { readonly offeredName: string; readonly schemaDigest: string; readonly tool: Tool };

/** Calls of a process that run at once, of all accounts. A reply has {@link CALLS_AT_ONCE} at most. */
const SLOTS: SemaphoreLimits = {
  atOnce: 64,
  maxWaiting: 1000,
  perAccount: { atOnce: 16, maxWaiting: 200, retryAfterSeconds: 5 },
};

/** Calls of a reply that run at once. */
export const CALLS_AT_ONCE = 8;

/** The groups of tools of the server. */
export class Toolbox implements Disposable {
  readonly #groups: readonly ToolGroup[];
  /** Of running calls. */
  readonly slots = new KeyedSemaphore(SLOTS);

  constructor(groups: readonly ToolGroup[]) {
    this.#groups = groups;
  }

  [Symbol.dispose](): void {
    this.slots[Symbol.dispose]();
  }

  /** Returns the slugs of the groups that can be used now. */
  get available(): string[] {
    return this.#groups.filter((group) => group.isAvailable()).map(({ slug }) => slug);
  }

  /** Returns the slugs of the groups none of whose tools reads what belongs to the person. */
  get impersonal(): string[] {
    return this.#groups.filter(({ tools }) => tools.every(({ reach }) => reach !== "own")).map(({ slug }) => slug);
  }

  /** Finds a tool by its group and its name in it; undefined if it cannot be used now. */
  find({ server, name }: { server: string; name: string }): NamedTool | undefined {
    return this.toolsOf([server]).find(({ tool }) => tool.name === name);
  }

  /** Returns the tools of those groups that can be used now, in the order of the server. */
  toolsOf(slugs: readonly string[]): NamedTool[] {
    const chosen = this.#groups.filter((group) => slugs.includes(group.slug) && group.isAvailable());
    return chosen.flatMap(({ tools }) => tools.map(namedTool));
  }
}

export const namedTool = (tool: Tool): NamedTool => ({
  tool,
  offeredName: offeredName(tool),
  schemaDigest: schemaDigest(tool),
});

/** Returns `group__name` in the characters of every API; a name that had others, or is too long, ends with a hash. */
export function offeredName({ group, name }: Pick<Tool, "group" | "name">): string {
  const whole = `${group}__${name}`;
  const allowed = whole.replaceAll(/[^A-Za-z0-9_-]/g, "_");
  if (allowed === whole && whole.length <= NAME_MAX) return whole;
  return `${allowed.slice(0, NAME_MAX - HASH_CHARS - 1)}_${sha256(whole).slice(0, HASH_CHARS)}`;
}

/** Identifies what a person has approved of a tool: its names, description and parameters. */
export function schemaDigest({ group, name, description, parameters }: Tool): string {
  return sha256(JSON.stringify([group, name, description, parameters]));
}

/** Identifies a call: its tool and the arguments as they will be sent. */
export function callDigest({ schemaDigest: schema }: Pick<NamedTool, "schemaDigest">, given: string): string {
  return sha256(JSON.stringify([schema, given]));
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
