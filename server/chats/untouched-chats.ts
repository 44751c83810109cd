import { DAY } from "#contract/limits.ts";
import { type Bus, topics } from "../bus/bus.ts";
import type { ChatRow, Database } from "../database/schema.ts";
import { holdChats } from "./batch-store.ts";
import { listEmptyChats } from "./chat-store.ts";
import { markDeleted } from "./delete-chats.ts";

/** Chats that one transaction deletes at most. */
const STEP = 200;

/**
 * Whether nobody has used a chat since its creation: it has no message, title, preset or instructions, and is not
 * organised. A draft is stored in a browser only, which reports it as activity.
 */
function isUntouched(chat: ChatRow): boolean {
  const isOrganised = chat.pinned !== 0 || chat.archived !== 0 || chat.folder_id !== null;
  const isGuided = chat.preset_id !== null || chat.instructions !== "";
  const isNamed = chat.title_origin !== "default" || chat.imported_from !== null;
  return chat.leaf === null && chat.updated_at === chat.created_at && !isOrganised && !isGuided && !isNamed;
}

/** Deletes the untouched chats that are older than a day, in a transaction for each account. */
export async function deleteUntouchedChats(
  { database, bus }: { database: Database; bus: Bus },
  now: number,
  signal: AbortSignal,
): Promise<void> {
  const found = await listEmptyChats(database, now - DAY);
  const untouched = Map.groupBy(found.filter(isUntouched), (chat) => chat.user_id);
  for (const [userId, chats] of untouched) {
    const ids = chats.map(({ id }) => id);
    while (ids.length > 0 && !signal.aborted) {
      const some = ids.splice(0, STEP);
      await database.transaction().execute(async (db) => {
        // A message may have been stored meanwhile, or another process has deleted the chat.
        const held = (await holdChats(db, userId, some)).filter(
          (chat) => chat.deleted_at === null && isUntouched(chat),
        );
        const chatIds = held.map(({ id }) => id);
        await markDeleted(db, userId, chatIds, { now });
      });
      bus.publish(topics.account(userId));
    }
  }
}
