import type {
  AccountChange,
  ChatChanged,
  FoldersChanged,
  InstructionsChanged,
} from "#contract/conversation/account-events.ts";
import { prepared } from "../database/prepared.ts";
import type { ChatRow, Queryable } from "../database/schema.ts";
import { type QuotaSettings, quotaOf, refuseOverQuota } from "../limits/quota.ts";
import { ownOrGroupQuota } from "../limits/quota-store.ts";
import { listPresetChanges } from "../presets/preset-store.ts";
import { selectListed } from "./chat-store.ts";
import { listFolders, toFolder } from "./folders/folder-store.ts";
import { toGuidance, toListItem } from "./to-list-item.ts";

type CountedChange = { userId: string; chatId: string; changed_seq: number; bytes: number };

const setChange = prepared((db, change: CountedChange) =>
  db
    .updateTable("chats")
    .set((eb) => ({ changed_seq: change.changed_seq, stored_bytes: eb("stored_bytes", "+", change.bytes) }))
    .where("id", "=", change.chatId)
    .where("user_id", "=", change.userId),
);

/** Fields of a chat's row that a new message, or the end of a reply, changes. */
export type Activity = Pick<ChatRow, "leaf" | "updated_at" | "archived" | "unread">;

const setActivity = prepared((db, { userId, chatId, bytes, ...chat }: CountedChange & Activity) =>
  db
    .updateTable("chats")
    .set((eb) => ({ ...chat, stored_bytes: eb("stored_bytes", "+", bytes) }))
    .where("id", "=", chatId)
    .where("user_id", "=", userId),
);

/**
 * Numbers a change of a chat. Must be the last call in its transaction: it locks the account's row, so that the
 * account's changes become visible in the order of their numbers. The caller then publishes `topics.account`.
 */
export async function markChanged(db: Queryable, userId: string, chatId: string): Promise<void> {
  await markGrown(db, userId, chatId, { bytes: 0 });
}

/** Growth of the counters of a chat and its account. Without `quota` the account's quota is not enforced. */
export type Growth = { bytes: number; quota?: QuotaSettings; activity?: Activity };

/**
 * {@link markChanged} for a change that stores text.
 * @throws Failure `quota-reached` if it exceeds the account's quota
 */
export async function markGrown(
  db: Queryable,
  userId: string,
  chatId: string,
  { bytes, quota, activity }: Growth,
): Promise<void> {
  const user = await countInAccount(db, { userId, count: 1, bytes });
  if (quota) refuseOverQuota(user.stored_bytes - bytes, bytes, quotaOf(user, quota));
  const change = { userId, chatId, changed_seq: user.change_seq, bytes };
  await (activity ? setActivity(db, { ...change, ...activity }) : setChange(db, change));
}

/**
 * Adds the bytes of a new chat to its account's counter. Must be the last call in its transaction.
 * @throws Failure `quota-reached`
 */
export async function countNewChat(db: Queryable, userId: string, bytes: number, quota: QuotaSettings): Promise<void> {
  const user = await countInAccount(db, { userId, count: 0, bytes });
  refuseOverQuota(user.stored_bytes - bytes, bytes, quotaOf(user, quota));
}

/** Subtracts the bytes of a removed chat from its account's counter. */
export async function countRemovedChat(db: Queryable, userId: string, bytes: number): Promise<void> {
  await countInAccount(db, { userId, count: 0, bytes: -bytes });
}

/** Returns the number of a change that is about to be committed. */
export async function nextChange(db: Queryable, userId: string): Promise<number> {
  return nextChanges(db, userId, 1);
}

type Counted = { userId: string; count: number; bytes: number };

const updateCounters = prepared((db, { userId, count, bytes }: Counted) =>
  db
    .updateTable("users")
    .set((eb) => ({ change_seq: eb("change_seq", "+", count), stored_bytes: eb("stored_bytes", "+", bytes) }))
    .where("id", "=", userId)
    .returning(["change_seq", "stored_bytes", ownOrGroupQuota]),
);

/** Adds changes and bytes in one update, which locks the account's row until the end of the transaction. */
async function countInAccount(db: Queryable, counted: Counted) {
  const [user] = await updateCounters(db, counted);
  if (!user) throw new Error("An account that is gone has no changes");
  return user;
}

/** Reserves numbers for `count` changes that are about to be committed. @returns the last one */
export async function nextChanges(db: Queryable, userId: string, count: number): Promise<number> {
  const { change_seq } = await countInAccount(db, { userId, count, bytes: 0 });
  return change_seq;
}

/**
 * Numbers a change of the account's folders. It locks the account's row, so that its folders do not change until the
 * end of the transaction.
 */
export async function markFoldersChanged(db: Queryable, userId: string): Promise<void> {
  const folders_seq = await nextChange(db, userId);
  await db.updateTable("users").set({ folders_seq }).where("id", "=", userId).execute();
}

/** {@link markFoldersChanged} for the account's instructions. */
export async function markInstructionsChanged(db: Queryable, userId: string): Promise<void> {
  const instructions_seq = await nextChange(db, userId);
  await db.updateTable("users").set({ instructions_seq }).where("id", "=", userId).execute();
}

/** Returns the last change number by account, without deleted accounts. */
export async function listPositions(db: Queryable, userIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.selectFrom("users").select(["id", "change_seq"]).where("id", "in", userIds).execute();
  return new Map(rows.map(({ id, change_seq }) => [id, change_seq]));
}

/**
 * Lists the changes after one number and up to another, which must be committed: each chat once with its current state,
 * in the order of its last change, and the folders, presets and instructions if they have changed. A chat that has
 * changed again meanwhile has its later number.
 */
export async function listChanges(
  db: Queryable,
  userId: string,
  range: { after: number; upTo: number },
): Promise<AccountChange[]> {
  const { after, upTo } = range;
  const chats = await selectListed(db, userId)
    .select(["chats.preset_id", "chats.instructions", "chats.effort", "chats.tools"])
    .where("chats.changed_seq", ">", after)
    .where("chats.changed_seq", "<=", upTo)
    .execute();
  const deleted = await db
    .selectFrom("deleted_chats")
    .select(["changed_seq as at", "chat_id as deleted"])
    .where("user_id", "=", userId)
    .where("changed_seq", ">", after)
    .where("changed_seq", "<=", upTo)
    .execute();
  const changed = chats.map(
    (row): ChatChanged => ({
      at: row.changed_seq,
      chat: { ...toListItem(row), ...toGuidance(row), leaf: row.leaf, replyId: row.reply_id },
    }),
  );
  const folders = await listFolderChange(db, userId, range);
  const presets = await listPresetChanges(db, userId, range);
  const instructions = await listInstructionsChange(db, userId, range);
  return [...changed, ...deleted, ...folders, ...presets, ...instructions].sort((a, b) => a.at - b.at);
}

async function listFolderChange(
  db: Queryable,
  userId: string,
  { after, upTo }: { after: number; upTo: number },
): Promise<FoldersChanged[]> {
  const user = await db.selectFrom("users").select("folders_seq as at").where("id", "=", userId).executeTakeFirst();
  if (!user || user.at <= after || user.at > upTo) return [];
  return [{ at: user.at, folders: (await listFolders(db, userId)).map(toFolder) }];
}

async function listInstructionsChange(
  db: Queryable,
  userId: string,
  { after, upTo }: { after: number; upTo: number },
): Promise<InstructionsChanged[]> {
  return db
    .selectFrom("users")
    .select(["instructions_seq as at", "instructions"])
    .where("id", "=", userId)
    .where("instructions_seq", ">", after)
    .where("instructions_seq", "<=", upTo)
    .execute();
}
