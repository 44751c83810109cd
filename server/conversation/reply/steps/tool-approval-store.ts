import { newId } from "../../../database/new-id.ts";
import { prepared } from "../../../database/prepared.ts";
import type { Queryable } from "../../../database/schema.ts";
import type { ToolApprovalRow } from "../../../database/tables/tool-tables.ts";

/** A tool as a person has approved it. */
export type ApprovedTool = Pick<ToolApprovalRow, "server" | "name" | "schema_digest">;

type ApprovalKey = ApprovedTool & { user_id: string; chat_id: string };

const selectApproval = prepared((db, { user_id, chat_id, server, name, schema_digest }: ApprovalKey) =>
  db
    .selectFrom("tool_approvals")
    .select("id")
    .where("user_id", "=", user_id)
    .where("server", "=", server)
    .where("name", "=", name)
    .where("schema_digest", "=", schema_digest)
    .where((eb) => eb.or([eb("chat_id", "is", null), eb("chat_id", "=", chat_id)]))
    .limit(1),
);

/** Whether the account has approved a tool for a chat, or for all its chats. */
export async function isApproved(db: Queryable, key: ApprovalKey): Promise<boolean> {
  return (await selectApproval(db, key)).length > 0;
}

/** Stores that a tool needs no further approval. `chat_id`: null for all chats of the account. */
export async function storeApproval(db: Queryable, approval: Omit<ToolApprovalRow, "id">): Promise<void> {
  await db
    .insertInto("tool_approvals")
    .values({ id: newId(), ...approval })
    .execute();
}

/** Lists the approvals of an account, the newest first. */
export async function listApprovals(db: Queryable, userId: string): Promise<ToolApprovalRow[]> {
  return db
    .selectFrom("tool_approvals")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

/** Removes an approval. @returns false if the account has no such one */
export async function removeApproval(db: Queryable, userId: string, id: string): Promise<boolean> {
  const removed = await db
    .deleteFrom("tool_approvals")
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirst();
  return removed.numDeletedRows > 0n;
}
