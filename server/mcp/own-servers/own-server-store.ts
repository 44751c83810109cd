import type { Queryable } from "../../database/schema.ts";

/** A sign-in of a person to a server. */
export type StoredSignIn = { server: string; issuer: string; created_at: number };

/** Lists the sign-ins of a person, the newest of each server last. */
export async function listSignIns(db: Queryable, userId: string): Promise<StoredSignIn[]> {
  return db
    .selectFrom("mcp_tokens")
    .select(["server", "issuer", "created_at"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** Removes the approvals of all tools of a person's server. */
export async function removeServerApprovals(db: Queryable, userId: string, slug: string): Promise<void> {
  await db.deleteFrom("tool_approvals").where("user_id", "=", userId).where("server", "=", slug).execute();
}
