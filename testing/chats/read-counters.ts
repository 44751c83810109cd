import type { Database } from "../../server/database/schema.ts";
import { countedBytes } from "../../server/text/stored-bytes.ts";

/** Ids with bytes, of chats and of accounts. */
type Counters = { chats: (readonly [string, number])[]; users: (readonly [string, number])[] };

/** Returns the counters of stored bytes, and the sums of the stored messages, files and links which they must equal. */
export async function readCounters(database: Database): Promise<{ stored: Counters; counted: Counters }> {
  const messages = await database.selectFrom("messages").selectAll().execute();
  const parts = Map.groupBy(await database.selectFrom("message_parts").selectAll().execute(), (row) => row.message_id);
  const chats = await database.selectFrom("chats").selectAll().execute();
  const files = await database.selectFrom("files").selectAll().execute();
  const shares = await database.selectFrom("shares").select(["user_id", "bytes"]).execute();
  const users = await database.selectFrom("users").selectAll().execute();
  const sumOf = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0);
  const ofChats = chats.map(
    ({ id }) =>
      [
        id,
        sumOf(
          messages
            .filter(({ chat_id }) => chat_id === id)
            .map((message) => countedBytes(message, parts.get(message.id) ?? [])),
        ),
      ] as const,
  );
  const ofUsers = users.map(
    ({ id }) =>
      [
        id,
        sumOf(chats.filter(({ user_id }) => user_id === id).map(({ stored_bytes }) => stored_bytes)) +
          sumOf(files.filter(({ user_id }) => user_id === id).map(({ size }) => size)) +
          sumOf(shares.filter(({ user_id }) => user_id === id).map(({ bytes }) => bytes)),
      ] as const,
  );
  return {
    stored: {
      chats: chats.map(({ id, stored_bytes }) => [id, stored_bytes]),
      users: users.map(({ id, stored_bytes }) => [id, stored_bytes]),
    },
    counted: { chats: ofChats, users: ofUsers },
  };
}
