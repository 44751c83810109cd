import { randomUUID } from "node:crypto";
import { storedBytes } from "../../server/text/stored-bytes.ts";
import { type WithDatabase, writePastServer } from "../harness/write-past-server.ts";

/** A chat of alternating questions and answers. `name`: prefix of the rows. */
export type ChatShape = { name: string; bytes: number; questionChars: number; answerChars: number };

/** One character outside Latin-1 in each text makes V8 store it with two bytes a character. */
const prose = (length: number): string => "峡 words that a person wrote. ".repeat(length / 29 + 1).slice(0, length);

/**
 * Inserts one chat for the only account and counts its bytes. It is larger than the quota, as chats from before the
 * quotas may be. It has no search entries, because no bench searches it.
 * @returns the chat's id
 */
export async function insertChat(server: WithDatabase, shape: ChatShape): Promise<string> {
  const chatId = randomUUID();
  const texts = { user: prose(shape.questionChars), assistant: prose(shape.answerChars) };
  const measured = (role: "user" | "assistant") => storedBytes({ role, content: texts[role], seams: [], parts: [] });
  const bytesOf = { user: measured("user"), assistant: measured("assistant") };
  await writePastServer(server, async (database) => {
    const { id: userId } = await database.first("users");
    if (typeof userId !== "string") throw new Error("There is no account");
    const chat = { id: chatId, user_id: userId, title: "Large", title_origin: "person", created_at: 0, updated_at: 0 };
    await database.insert("chats", chat);
    let parent: string | null = null;
    let bytes = 0;
    for (let at = 0; bytes < shape.bytes; at++) {
      const role = at % 2 === 0 ? "user" : "assistant";
      const id = randomUUID();
      const common = { id, user_id: userId, chat_id: chatId, parent, role, created_at: at };
      await database.insert("messages", { ...common, content: texts[role], model: "GPT:gpt-5", state: "complete" });
      bytes += bytesOf[role];
      parent = id;
    }
    await database.update("chats", chatId, { leaf: parent, stored_bytes: bytes });
    await database.update("users", userId, { stored_bytes: bytes });
  });
  return chatId;
}
