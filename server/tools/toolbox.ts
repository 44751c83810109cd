import { createHash } from "node:crypto";
import type { ListedToolGroup } from "#contract/conversation/tools.ts";
import { REPLY_TOOLS_MAX } from "#contract/limits.ts";
import { KeyedSemaphore, type SemaphoreLimits } from "../concurrency/keyed-semaphore.ts";
import type { Queryable } from "../database/schema.ts";
import type { Tool, ToolGroup } from "./tool.ts";
import type { ToolSource } from "./tool-source.ts";

/** Longest name that every API accepts. */
const NAME_MAX = 64;
const HASH_CHARS = 8;

/** A tool under the name by which models call it. `schemaDigest`: changes with what the tool says of itself. */
export type NamedTool = { readonly offeredName: string; readonly schemaDigest: string; readonly tool: Tool };

/** A tool as calls and approvals name it. `server`: its group. */
export type CalledTool = { server: string; name: string };

/** Calls of a process that run at once, of all accounts. A reply has {@link CALLS_AT_ONCE} at most. */
const SLOTS: SemaphoreLimits = {
  atOnce: 64,
  maxWaiting: 1000,
  perAccount: { atOnce: 16, maxWaiting: 200, retryAfterSeconds: 5 },
};

/** Calls of a reply that run at once. */
export const CALLS_AT_ONCE = 8;

/** Whose tools they are. */
export type ToolOwner = { db: Queryable; userId: string };

/** The groups of tools of the server, and those of each account. */
export class Toolbox implements Disposable {
  readonly #groups: readonly ToolGroup[];
  readonly #source: ToolSource | undefined;
  /** Of running calls. */
  readonly slots = new KeyedSemaphore(SLOTS);

  /** @param source absent: accounts have no tools of their own */
  constructor(groups: readonly ToolGroup[], source?: ToolSource) {
    this.#groups = groups;
    this.#source = source;
  }

  [Symbol.dispose](): void {
    this.slots[Symbol.dispose]();
  }

  /** Lists the groups that an account can use, those of the server first. */
  async listGroups({ db, userId }: ToolOwner): Promise<ListedToolGroup[]> {
    const own = this.#groups.filter((group) => group.isAvailable()).map(({ slug }) => ({ slug }));
    return [...own, ...((await this.#source?.listGroups(db, userId)) ?? [])];
  }

  /** Returns the slugs of the groups none of whose tools reads what belongs to the person. */
  get impersonal(): string[] {
    return this.#groups.filter(({ tools }) => tools.every(({ reach }) => reach !== "own")).map(({ slug }) => slug);
  }

  /** Finds a tool by its group and its name in it; undefined if the account cannot use it. */
  async find(owner: ToolOwner, stored: CalledTool): Promise<NamedTool | undefined> {
    return (await this.findAll(owner, [stored])).at(0);
  }

  /** Finds tools, each at the index of its name in `stored`. */
  async findAll(owner: ToolOwner, stored: readonly CalledTool[]): Promise<(NamedTool | undefined)[]> {
    const tools = await this.#toolsOf(owner, [...new Set(stored.map(({ server }) => server))]);
    return stored.map(({ server, name }) => {
      const found = tools.find((tool) => tool.group === server && tool.name === name);
      return found && namedTool(found);
    });
  }

  /**
   * Returns the tools of those groups that the account can use, in the order of the server, and how many are left out:
   * those over {@link REPLY_TOOLS_MAX}, and each whose offered name another one has.
   */
  async toolsOf(owner: ToolOwner, slugs: readonly string[]): Promise<{ tools: NamedTool[]; leftOut: number }> {
    const all = await this.#toolsOf(owner, slugs);
    const byName = new Map<string, NamedTool>();
    for (const named of all.map(namedTool)) {
      if (byName.size < REPLY_TOOLS_MAX && !byName.has(named.offeredName)) byName.set(named.offeredName, named);
    }
    return { tools: [...byName.values()], leftOut: all.length - byName.size };
  }

  async #toolsOf({ db, userId }: ToolOwner, slugs: readonly string[]): Promise<Tool[]> {
    const chosen = this.#groups.filter((group) => slugs.includes(group.slug) && group.isAvailable());
    const others = slugs.filter((slug) => !this.#groups.some((group) => group.slug === slug));
    const ofAccount = others.length === 0 ? [] : await this.#source?.listTools(db, userId, others);
    return [...chosen.flatMap(({ tools }) => tools), ...(ofAccount ?? [])];
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

/** Identifies what a person has approved of a tool: its names, description, parameters, server and effect. */
export function schemaDigest({ group, name, description, parameters, server }: Tool): string {
  return sha256(
    JSON.stringify([group, name, description, parameters, ...(server ? [server.address, server.effect] : [])]),
  );
}

/** Identifies a call: its tool and the arguments as they will be sent. */
export function callDigest({ schemaDigest: schema }: Pick<NamedTool, "schemaDigest">, given: string): string {
  return sha256(JSON.stringify([schema, given]));
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
