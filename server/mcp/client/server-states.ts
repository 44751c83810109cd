import { isDeepStrictEqual } from "node:util";
import type { PriorDiscovery } from "@modelcontextprotocol/client";
import * as z from "zod/mini";
import { DAY } from "#contract/limits.ts";
import type { Clock } from "../../concurrency/clock.ts";
import type { Database } from "../../database/schema.ts";
import { parseJson } from "../../text/parse-json.ts";
import { countMcpCall, deleteState, listStates, storeState } from "../mcp-server-store.ts";
import { parseTools, type StoredTool } from "../stored-tool.ts";
import type { Connection } from "./connection.ts";
import type { ListingFailure } from "./listing-failure.ts";

/** A server is asked again after that: one that was updated still speaks the older revision. */
const ERA_LIFE_MS = DAY;
/** In UTF-16 units of JSON. */
const ERA_MAX = 20_000;

const eraSchema = z.union([
  z.object({ kind: z.literal("legacy") }),
  z.object({ kind: z.literal("modern"), discover: z.looseObject({ supportedVersions: z.array(z.string()) }) }),
]);

export type StateOwner = { key: string; userId: string };

/** Stores the lists, revisions and failures of servers. A person who has signed in to a server has a state of their own. */
export class ServerStates {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor({ database, clock }: { database: Database; clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Returns the revision of a server, if it was found in the last day. */
  async findPrior({ key, userId }: StateOwner): Promise<PriorDiscovery | undefined> {
    const rows = await listStates(this.#database, [key], userId);
    const row = rows.find(({ user_id: owner }) => owner === userId) ?? rows[0];
    if (!row?.era || !row.era_at || this.#clock.now() - row.era_at > ERA_LIFE_MS) return undefined;
    const { data } = eraSchema.safeParse(parseJson(row.era));
    // The SDK checks the rest of what the server said of itself.
    return data as PriorDiscovery | undefined;
  }

  /** Stores the list of a connection. One without a token is the same for everybody. */
  async storeList({ key, userId }: StateOwner, connection: Connection): Promise<void> {
    const now = this.#clock.now();
    const era = JSON.stringify(connection.prior);
    const change = {
      ...(era.length <= ERA_MAX && { era, era_at: now }),
      listed_at: now,
      failure: null,
      failed_at: null,
      needs_sign_in: 0,
    };
    const owner = connection.hasToken ? userId : "";
    const rows = await listStates(this.#database, [key], userId);
    const tools = rows.find(({ user_id }) => user_id === owner)?.tools ?? null;
    await storeState(
      this.#database,
      { server: key, userId: owner },
      { ...change, ...toolsOf(tools, connection.list.tools) },
    );
    if (owner === "") await deleteState(this.#database, { server: key, userId });
  }

  /** Stores why a server has no list; its last list stays. `hasToken`: a person's token was sent. */
  async storeFailure({ key, userId }: StateOwner, failure: ListingFailure, hasToken: boolean): Promise<void> {
    const isSignIn = failure.code === "sign-in";
    const failed = { failure: failure.code, failed_at: this.#clock.now() };
    const change = isSignIn ? { ...failed, failure: null, needs_sign_in: 1 } : failed;
    await storeState(this.#database, { server: key, userId: hasToken ? userId : "" }, change);
    if (isSignIn && !hasToken) await deleteState(this.#database, { server: key, userId });
  }

  async countCall(key: string, isFailure: boolean): Promise<void> {
    await countMcpCall(this.#database, { server: key, day: Math.floor(this.#clock.now() / DAY), isFailure });
  }
}

/** A list in another order of fields is the same: what people have approved of it stays approved. */
function toolsOf(stored: string | null, tools: readonly StoredTool[]): { tools?: string } {
  const isSame = stored !== null && isDeepStrictEqual(parseTools(stored), tools);
  return isSame ? {} : { tools: JSON.stringify(tools) };
}
