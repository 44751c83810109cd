import { type Bus, topics } from "../bus/bus.ts";
import { shortTransaction } from "../database/group-commit.ts";
import type { Database } from "../database/schema.ts";
import { markChanged } from "./change-store.ts";
import { setTitle } from "./chat-store.ts";

/** Sets the model's title of a chat, unless the user has renamed it, and notifies the account. */
export async function nameChat(
  { database, bus }: { database: Database; bus: Bus },
  userId: string,
  chatId: string,
  title: string,
): Promise<void> {
  const isGiven = await shortTransaction(database, async (db) => {
    if (!(await setTitle(db, userId, chatId, title, "model"))) return false;
    await markChanged(db, userId, chatId);
    return true;
  });
  if (isGiven) bus.publish(topics.account(userId));
}
