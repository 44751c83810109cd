import type { AccountChange, ChatChanged, FoldersChanged, InstructionsChanged } from "#contract/account-events.ts";
import { prepared } from "../database/prepared.ts";
import type { ChatRow, Queryable } from "../database/schema.ts";
import { listPresetChanges } from "../presets/preset-store.ts";
import { selectListed } from "./chat-store.ts";
import { listFolders, toFolder } from "./folders/folder-store.ts";
import { type QuotaSettings, quotaOf, refuseOverQuota } from "./quota.ts";
import { toGuidance, toListItem } from "./to-list-item.ts";

type CountedChange = { userId: string; chatId: string; changed_seq: number; bytes: number };

const setChange = prepared((db, change: CountedChange) =>
  db
    .updateTable("chats")
    .set((eb) => ({ changed_seq: change.changed_seq, stored_bytes: eb("stored_bytes", "+", change.bytes) }))
    .where("id", "=", change.chatId)
    .where("user_id", "=", change.userId),
);

/** What a message that comes, or a reply that ends, leaves in its chat's row. */
export type Activity = Pick<ChatRow, "leaf" | "updated_at" | "archived" | "unread">;

const setActivity = prepared((db, { userId, chatId, bytes, ...chat }: CountedChange & Activity) =>
  db
    .updateTable("chats")
    .set((eb) => ({ ...chat, stored_bytes: eb("stored_bytes", "+", bytes) }))
    .where("id", "=", chatId)
    .where("user_id", "=", userId),
);

/**
 * Counts a change of a chat, to be called last in its transaction: it holds the account's row, so that the account's
 * changes become visible in the order of their numbers. Whoever changes then publishes `topics.account`.
 */
export async function markChanged(db: Queryable, userId: string, chatId: string): Promise<void> {
  await markGrown(db, userId, chatId, { bytes: 0 });
}

/** What a write adds to the counters of its chat and account. `quota`: absent where the account's is not enforced. */
export type Growth = { bytes: number; quota?: QuotaSettings; activity?: Activity };

/**
 * {@link markChanged} for a change that stores text.
 * @throws Failure `quota-reached` where the account has no room for it
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
 * Counts the bytes of a chat that is new, and not visible yet, against its account: last in its transaction.
 * @throws Failure `quota-reached`
 */
export async function countNewChat(db: Queryable, userId: string, bytes: number, quota: QuotaSettings): Promise<void> {
  const user = await countInAccount(db, { userId, count: 0, bytes });
  refuseOverQuota(user.stored_bytes - bytes, bytes, quotaOf(user, quota));
}

/** Takes the bytes of a chat that is removed off its account. */
export async function countRemovedChat(db: Queryable, userId: string, bytes: number): Promise<void> {
  await countInAccount(db, { userId, count: 0, bytes: -bytes });
}

/** The number of a change that is about to be committed. */
export async function nextChange(db: Queryable, userId: string): Promise<number> {
  return nextChanges(db, userId, 1);
}

type Counted = { userId: string; count: number; bytes: number };

const updateCounters = prepared((db, { userId, count, bytes }: Counted) =>
  db
    .updateTable("users")
    .set((eb) => ({ change_seq: eb("change_seq", "+", count), stored_bytes: eb("stored_bytes", "+", bytes) }))
    .where("id", "=", userId)
    .returning(["change_seq", "stored_bytes", "quota_mb"]),
);

/** Counts changes and bytes in one update, which holds the account's row until the transaction's end. */
async function countInAccount(db: Queryable, counted: Counted) {
  const [user] = await updateCounters(db, counted);
  if (!user) throw new Error("An account that is gone has no changes");
  return user;
}

/** The last of the numbers of so many changes that are about to be committed. */
export async function nextChanges(db: Queryable, userId: string, count: number): Promise<number> {
  const { change_seq } = await countInAccount(db, { userId, count, bytes: 0 });
  return change_seq;
}

/**
 * Counts a change of the account's folders. It holds the account's row, so that what is then read of its folders stays so
 * until the transaction's end.
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

/** How far the accounts' changes have come, by account; none for those that are gone. */
export async function listPositions(db: Queryable, userIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.selectFrom("users").select(["id", "change_seq"]).where("id", "in", userIds).execute();
  return new Map(rows.map(({ id, change_seq }) => [id, change_seq]));
}

/**
 * What changed after one number and up to another, which must be committed: each chat once, as it is now, in the order
 * of the last changes, and the folders, presets and instructions where they changed. A chat that has changed again
 * meanwhile comes with its later number.
 */
export async function listChanges(
  db: Queryable,
  userId: string,
  range: { after: number; upTo: number },
): Promise<AccountChange[]> {
  const { after, upTo } = range;
  const chats = await selectListed(db, userId)
    .select(["chats.preset_id", "chats.instructions"])
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
