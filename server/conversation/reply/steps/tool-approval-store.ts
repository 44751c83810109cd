import { newId } from "../../../database/new-id.ts";
import { prepared } from "../../../database/prepared.ts";
import type { ChatRow, Queryable } from "../../../database/schema.ts";
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

/**
 * Stores that a tool needs no further approval, instead of an earlier approval of the same. `chat_id`: null for all chats
 * of the account.
 */
export async function storeApproval(db: Queryable, approval: Omit<ToolApprovalRow, "id">): Promise<void> {
  await removeSame(db, approval);
  await db
    .insertInto("tool_approvals")
    .values({ id: newId(), ...approval })
    .execute();
}

/** An approval with the title of its chat; without a chat both are null. */
export type ListedApproval = ToolApprovalRow & { title: string | null; title_origin: ChatRow["title_origin"] | null };

/** Lists approvals of an account: for all chats first, then for single ones, each the newest first. */
export async function listApprovals(db: Queryable, userId: string, limit: number): Promise<ListedApproval[]> {
  return db
    .selectFrom("tool_approvals")
    .leftJoin("chats", "chats.id", "tool_approvals.chat_id")
    .selectAll("tool_approvals")
    .select(["chats.title", "chats.title_origin"])
    .where("tool_approvals.user_id", "=", userId)
    .where("chats.deleted_at", "is", null)
    .orderBy((eb) => eb.case().when("tool_approvals.chat_id", "is", null).then(0).else(1).end())
    .orderBy("tool_approvals.created_at", "desc")
    .orderBy("tool_approvals.id", "desc")
    .limit(limit)
    .execute();
}

/**
 * Removes an approval of a tool, also for its earlier schemas: a tool that is changed back must ask too.
 * @returns false if the account has no such approval
 */
export async function removeApproval(db: Queryable, userId: string, id: string): Promise<boolean> {
  const approval = await db
    .selectFrom("tool_approvals")
    .selectAll()
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!approval) return false;
  await removeSame(db, approval);
  return true;
}

/** Removes the approvals of a tool for a chat, or for all chats. */
async function removeSame(
  db: Queryable,
  { user_id, chat_id, server, name }: Omit<ToolApprovalRow, "id">,
): Promise<void> {
  await db
    .deleteFrom("tool_approvals")
    .where("user_id", "=", user_id)
    .where("server", "=", server)
    .where("name", "=", name)
    .where("chat_id", chat_id === null ? "is" : "=", chat_id)
    .execute();
}

/** Removes all approvals of an account. */
export async function removeApprovals(db: Queryable, userId: string): Promise<void> {
  await db.deleteFrom("tool_approvals").where("user_id", "=", userId).execute();
}
