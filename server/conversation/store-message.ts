import type { Role } from "#contract/conversation/conversation.ts";
import { markGrown } from "../chats/change-store.ts";
import { setTitle } from "../chats/chat-store.ts";
import { newId } from "../database/new-id.ts";
import type { MessagePartRow, MessageRow, Queryable } from "../database/schema.ts";
import { nameFiles, type ReadyFile } from "../files/attached-file-store.ts";
import { type QuotaSettings, refuseOverQuota } from "../limits/quota.ts";
import { cutTitle } from "../models/title-prompt.ts";
import { type FileTokens, indexFiles, type TextTokens } from "../search/search-index-store.ts";
import { storedBytes } from "../text/stored-bytes.ts";
import { questionWords, takeAttachments } from "./attachments.ts";
import { activityOf, type HeldChat } from "./message-rows.ts";
import { insertMessages } from "./message-store.ts";
import { numbered, type Part, toolNamesOf, toPartRow } from "./parts/message-part.ts";
import { upsertParts } from "./parts/part-store.ts";

/** Limits of what is stored. */
export type StorageSettings = QuotaSettings & { maxFilesPerMessage: number };

/** A message to add to a chat. `content`: well-formed. `parts`: beside those of its files. */
export type GivenMessage = {
  role: Role;
  content: string;
  files?: string[] | undefined;
  parts?: readonly Part[];
};

/** A message that its chat has room for, with its id. `parts`: those of its files first. */
export type TakenMessage = Pick<MessageRow, "id" | "role" | "content" | "rev"> & {
  files: readonly ReadyFile[];
  parts: readonly Part[];
  partRows: readonly MessagePartRow[];
  bytes: number;
  /** What names it in a title: its text, or the names of its files. */
  words: string;
};

/**
 * Takes the files of a message and measures it, in the transaction that stores it.
 * @throws Failure `quota-reached` of the chat, `file-gone`, `too-many-files`
 */
export async function takeMessage(
  db: Queryable,
  { chat }: HeldChat,
  { role, content, files: ids, parts: further = [] }: GivenMessage,
  settings: StorageSettings,
): Promise<TakenMessage> {
  const { files, parts: ofFiles } = await takeAttachments(db, chat.user_id, { files: ids }, settings);
  const id = newId();
  const parts = numbered([...ofFiles, ...further]);
  const partRows = parts.map((part) => toPartRow(id, part));
  const bytes = storedBytes({ role, content, seams: [], parts: partRows });
  refuseOverQuota(chat.stored_bytes, bytes, settings.maxChatBytes);
  const rev = parts.at(-1)?.rev ?? 0;
  return { id, role, content, rev, files, parts, partRows, bytes, words: questionWords({ content }, files) };
}

/** `reply`: the empty one that follows. `tokens`: of the message's text; `fileTokens`: of its files. */
export type MessageToStore = {
  taken: TakenMessage;
  message: MessageRow;
  reply?: MessageRow;
  tokens: TextTokens;
  fileTokens: FileTokens;
};

/**
 * Stores a message at the end of a branch of its chat, and what follows from it: names and indexes its files, names a
 * chat without a title by its question, and counts its bytes.
 * @throws Failure `quota-reached` of the account
 */
export async function storeMessage(
  db: Queryable,
  held: HeldChat,
  { taken, message, reply, tokens, fileTokens }: MessageToStore,
  quota: QuotaSettings,
): Promise<void> {
  const { id: chatId, user_id: userId, title_origin: titleOrigin } = held.chat;
  const tools = new Map([[message.id, toolNamesOf(taken.parts)]]);
  await insertMessages(db, reply ? [message, reply] : [message], tokens, tools);
  await nameFiles(db, taken.id, taken.files);
  if (taken.files.length > 0) await indexFiles(db, userId, [taken.id], fileTokens);
  await upsertParts(db, taken.partRows);
  if (taken.role === "user" && titleOrigin === "default") {
    await setTitle(db, userId, chatId, cutTitle(taken.words), "question");
  }
  const activity = activityOf(held, reply ?? message);
  await markGrown(db, userId, chatId, { bytes: taken.bytes, quota, activity });
}
