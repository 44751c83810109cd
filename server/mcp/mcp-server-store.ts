import { DAY } from "#contract/limits.ts";
import type { Queryable } from "../database/schema.ts";
import type { McpServerRow, McpServerStateRow } from "../database/tables/mcp-tables.ts";

/** Pattern of the keys of the operator's file, which has no rows. */
const OF_FILE = "file:%";

/** Lists the servers that owners have added, in the order of their names. */
export async function listInstallationServers(db: Queryable): Promise<McpServerRow[]> {
  return db.selectFrom("mcp_servers").selectAll().where("user_id", "is", null).orderBy("name").orderBy("id").execute();
}

/** Lists the servers that a person has added, in the order of their names. */
export async function listOwnServers(db: Queryable, userId: string): Promise<McpServerRow[]> {
  return db.selectFrom("mcp_servers").selectAll().where("user_id", "=", userId).orderBy("name").orderBy("id").execute();
}

/** Finds a server of an owner (`userId`: null) or of a person. */
export async function findServerRow(
  db: Queryable,
  { id, userId }: { id: string; userId: string | null },
): Promise<McpServerRow | undefined> {
  return db
    .selectFrom("mcp_servers")
    .selectAll()
    .where("id", "=", id)
    .where("user_id", userId === null ? "is" : "=", userId)
    .executeTakeFirst();
}

/** Finds a server of an owner by its slug. */
export async function findInstallationServer(db: Queryable, slug: string): Promise<McpServerRow | undefined> {
  const servers = db.selectFrom("mcp_servers").selectAll();
  return servers.where("user_id", "is", null).where("slug", "=", slug).executeTakeFirst();
}

/** @throws a unique violation if another server has the slug */
export async function insertServer(db: Queryable, row: McpServerRow): Promise<void> {
  await db.insertInto("mcp_servers").values(row).execute();
}

export async function updateServer(
  db: Queryable,
  id: string,
  change: Partial<Omit<McpServerRow, "id" | "user_id" | "slug" | "created_at">>,
): Promise<void> {
  await db.updateTable("mcp_servers").set(change).where("id", "=", id).execute();
}

/** Removes a server with what is stored about it: its tools, sign-ins to it and counts of its calls. */
export async function deleteServer(db: Queryable, id: string): Promise<void> {
  for (const table of ["mcp_server_states", "mcp_tokens", "mcp_attempts", "mcp_call_counts"] as const) {
    await db.deleteFrom(table).where("server", "=", id).execute();
  }
  await db.deleteFrom("mcp_servers").where("id", "=", id).execute();
}

/** Removes what was found at the former address of a server, and the sign-ins there. */
export async function forgetAddress(db: Queryable, id: string): Promise<void> {
  for (const table of ["mcp_server_states", "mcp_tokens", "mcp_attempts"] as const) {
    await db.deleteFrom(table).where("server", "=", id).execute();
  }
}

/** Removes what people have approved of the tools of a group, so that no later server of its slug has it. */
export async function deleteApprovalsOf(db: Queryable, slug: string): Promise<void> {
  await db.deleteFrom("tool_approvals").where("server", "=", slug).execute();
}

/** Lists all servers with encrypted headers, of owners and of people. */
export async function listServersWithHeaders(db: Queryable): Promise<McpServerRow[]> {
  return db.selectFrom("mcp_servers").selectAll().where("headers_encrypted", "is not", null).orderBy("name").execute();
}

/** Lists the addresses and owners of people's own servers. */
export async function listOwnAddresses(db: Queryable): Promise<{ id: string; url: string; userId: string }[]> {
  const rows = await db.selectFrom("mcp_servers").select(["id", "url", "user_id"]).execute();
  return rows.flatMap(({ id, url, user_id: userId }) => (userId === null ? [] : [{ id, url, userId }]));
}

/** Lists what servers were last found to be, for everybody and for a person. */
export async function listStates(db: Queryable, keys: readonly string[], userId: string): Promise<McpServerStateRow[]> {
  if (keys.length === 0) return [];
  return db
    .selectFrom("mcp_server_states")
    .selectAll()
    .where("server", "in", keys)
    .where("user_id", "in", ["", userId])
    .execute();
}

type StateChange = Partial<Omit<McpServerStateRow, "server" | "user_id">>;

/** Stores what a server was found to be; absent fields stay. `userId`: empty for everybody. */
export async function storeState(
  db: Queryable,
  { server, userId }: { server: string; userId: string },
  change: StateChange,
): Promise<void> {
  const empty = { era: null, era_at: null, tools: null, listed_at: null, failure: null, failed_at: null };
  await db
    .insertInto("mcp_server_states")
    .values({ server, user_id: userId, ...empty, needs_sign_in: 0, ...change })
    .onConflict((conflict) => conflict.columns(["server", "user_id"]).doUpdateSet(change))
    .execute();
}

/** Removes what a server was found to be for a person, or, with an empty `userId`, for everybody. */
export async function deleteState(
  db: Queryable,
  { server, userId }: { server: string; userId: string },
): Promise<void> {
  await db.deleteFrom("mcp_server_states").where("server", "=", server).where("user_id", "=", userId).execute();
}

/** Counts a call of a server. `day`: days since 1970. */
export async function countMcpCall(
  db: Queryable,
  { server, day, isFailure }: { server: string; day: number; isFailure: boolean },
): Promise<void> {
  const failures = isFailure ? 1 : 0;
  await db
    .insertInto("mcp_call_counts")
    .values({ server, day, calls: 1, failures })
    .onConflict((conflict) =>
      conflict.columns(["server", "day"]).doUpdateSet((eb) => ({
        calls: eb("mcp_call_counts.calls", "+", 1),
        failures: eb("mcp_call_counts.failures", "+", failures),
      })),
    )
    .execute();
}

/** Sums the calls of each server since a day. */
export async function sumMcpCalls(
  db: Queryable,
  sinceDay: number,
): Promise<{ server: string; calls: number; failures: number }[]> {
  const rows = await db
    .selectFrom("mcp_call_counts")
    .select((eb) => ["server", eb.fn.sum<number>("calls").as("calls"), eb.fn.sum<number>("failures").as("failures")])
    .where("day", ">=", sinceDay)
    .groupBy("server")
    .execute();
  return rows.map(({ server, calls, failures }) => ({ server, calls: Number(calls), failures: Number(failures) }));
}

/** Removes counts of calls before a day. `day`: days since 1970. */
export async function removeCallsBefore(db: Queryable, day: number): Promise<void> {
  await db.deleteFrom("mcp_call_counts").where("day", "<", day).execute();
}

/**
 * Removes what calls that ended after the removal of their server or account have stored before a time, in Unix ms.
 */
export async function removeLeftoversBefore(db: Queryable, before: number): Promise<void> {
  const present = db.selectFrom("mcp_servers").select("id");
  await db
    .deleteFrom("mcp_call_counts")
    .where("server", "not like", OF_FILE)
    .where("server", "not in", present)
    .where("day", "<", Math.floor(before / DAY))
    .execute();
  await db
    .deleteFrom("mcp_tokens")
    .where("server", "not like", OF_FILE)
    .where("server", "not in", present)
    .where("updated_at", "<", before)
    .execute();
  await db
    .deleteFrom("mcp_server_states")
    .where((eb) =>
      eb.or([
        eb.and([eb("server", "not like", OF_FILE), eb("server", "not in", present)]),
        eb.and([eb("user_id", "!=", ""), eb("user_id", "not in", db.selectFrom("users").select("id"))]),
      ]),
    )
    .where((eb) => eb(eb.fn.coalesce("failed_at", "listed_at", eb.val(0)), "<", before))
    .execute();
}
