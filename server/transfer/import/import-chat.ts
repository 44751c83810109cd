import { setImmediate } from "node:timers/promises";
import { NEW_CHAT_TITLE } from "#contract/conversation/chats.ts";
import type { MessageState } from "#contract/conversation/conversation.ts";
import { isRunning, WAITING } from "#contract/conversation/reply-state.ts";
import { isErrorCode } from "#contract/errors.ts";
import { HOUR } from "#contract/limits.ts";
import { oneLine } from "#contract/text/name-text.ts";
import { countNewChat, markChanged } from "../../chats/change-store.ts";
import { insertChat } from "../../chats/chat-store.ts";
import { insertMessages } from "../../conversation/message-store.ts";
import { bodyOf, isFilePart, toolNamesOf, toPartRow } from "../../conversation/parts/message-part.ts";
import { upsertParts } from "../../conversation/parts/part-store.ts";
import { newId } from "../../database/new-id.ts";
import type { ChatRow, Database, MessageRow } from "../../database/schema.ts";
import { isUniqueViolation } from "../../database/violations.ts";
import { Failure } from "../../failure.ts";
import type { QuotaSettings } from "../../limits/quota.ts";
import { storedToolGroups } from "../../presets/tool-groups.ts";
import { indexTitle, tokenise } from "../../search/search-index-store.ts";
import { type Seam, storedSeams } from "../../text/seams.ts";
import { storedBytes } from "../../text/stored-bytes.ts";
import { forgetDeletedImport, importedFrom, noteImported, showChat } from "../transfer-store.ts";
import type { ChatToImport, MessageToImport } from "./chat-to-import.ts";
import { treeOf } from "./check-tree.ts";
import { FILES_AT_ONCE, filesToName, nameFilesOf, withFileFacts } from "./imported-files.ts";

/** Size of one transaction, which bounds how long other queries wait for the database. In bytes as the quota has them. */
const MESSAGES_AT_ONCE = 100;
const BYTES_AT_ONCE = 200_000;

/** Ids of the account's folders and presets, by their ids in the file. */
export type Filing = { folders: ReadonlyMap<string, string>; presets: ReadonlyMap<string, string> };

/** A chat of a file, and the context of its import. */
export type ImportedChat = {
  userId: string;
  chat: ChatToImport;
  filing: Filing;
  now: number;
  quota: QuotaSettings;
  /** Digest of the chat's source; undefined for a chat of our own. */
  originDigest: string | undefined;
  step(): Promise<void>;
};

/**
 * Stores a chat of a file under new ids. A long chat is stored in several transactions, and is hidden until the last.
 * After a kill its remains are removed with the deleted chats. The whole size counts against the quota from the first
 * transaction on. Its messages name the files of the account that their parts name.
 * @returns whether the chat was stored; `false` if a concurrent import of the same chat was faster
 * @throws BrokenTree, Failure `too-large` for a chat, `quota-reached` for the account; before anything is stored
 */
export async function importChat(
  database: Database,
  { userId, chat, filing, now, quota, originDigest, step }: ImportedChat,
): Promise<boolean> {
  const tree = await treeOf(chat, step);
  // Before the size is counted, because the facts are stored in the parts.
  tree.ordered = await withFileFacts(database, userId, tree.ordered, step);
  const sized = await sizesOf(tree.ordered, step);
  const stored_bytes = sized.reduce((sum, { bytes }) => sum + bytes, 0);
  if (stored_bytes > quota.maxChatBytes) throw new Failure("too-large");
  const ids = new Map<string, string>();
  for (const { id } of chat.messages) {
    // In the file's order, because ids order messages of equal time.
    ids.set(id, newId());
    await step();
  }
  const row = { ...toChatRow(chat, { userId, filing, now }), stored_bytes };
  const leaf = ids.get(tree.leaf ?? "") ?? null;
  const source = importedFrom(chat);
  const batches = batchesOf(sized);
  try {
    for (const [at, batch] of batches.entries()) {
      // Yields to the event loop, because SQLite queries are synchronous.
      await setImmediate();
      const rows = batch.map((message) => toMessageRow(message, { ids, row, now }));
      const partRows = batch.flatMap(({ id, parts }) => parts.map((part) => toPartRow(ids.get(id) ?? "", part)));
      const tokens = await tokenise(rows.map(({ content }) => content));
      const tools = new Map(batch.map(({ id, parts }) => [ids.get(id) ?? "", toolNamesOf(parts)]));
      const files = await filesToName(database, userId, partRows.filter(isFilePart));
      await database.transaction().execute(async (db) => {
        if (at === 0) await insertChat(db, row);
        if (rows.length > 0) await insertMessages(db, rows, tokens, tools);
        await upsertParts(db, partRows);
        // Before the account is locked, in the order of a removal of files.
        await nameFilesOf(db, userId, files);
        if (at === 0) await countNewChat(db, userId, stored_bytes, quota);
        if (at < batches.length - 1) return;
        await indexTitle(db, row);
        await forgetDeletedImport(db, userId, source);
        if (originDigest !== undefined) await noteImported(db, userId, originDigest);
        await showChat(db, userId, { id: row.id, leaf, imported_from: source });
        await markChanged(db, userId, row.id);
      });
    }
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** A message and its size in bytes, as counted against the quota. */
type SizedMessage = { message: MessageToImport; bytes: number };

async function sizesOf(messages: readonly MessageToImport[], step: () => Promise<void>): Promise<SizedMessage[]> {
  const sized: SizedMessage[] = [];
  for (const message of messages) {
    const { role, content } = message;
    const parts = message.parts.map((part) => ({ kind: part.kind, body: bodyOf(part) }));
    sized.push({ message, bytes: storedBytes({ role, content, seams: seamsOf(message), parts }) });
    await step();
  }
  return sized;
}

/** Returns the seams inside the text, because only these are visible. A question has none. */
function seamsOf({ role, content, seams = [] }: MessageToImport): Seam[] {
  if (role !== "assistant") return [];
  const inside = [...new Set(seams)].filter((at) => at <= content.length);
  return inside.sort((a, b) => a - b).map((at) => ({ at, run: 0 }));
}

/** Splits messages into batches of one transaction each; at least one, which may be empty. */
function batchesOf(sized: readonly SizedMessage[]): MessageToImport[][] {
  const batches: MessageToImport[][] = [[]];
  let size = { bytes: 0, files: 0 };
  for (const { message, bytes } of sized) {
    const batch = batches.at(-1);
    const named = message.parts.filter(isFilePart).length;
    size = { bytes: size.bytes + bytes, files: size.files + named };
    const isTooLarge = size.bytes > BYTES_AT_ONCE || size.files > FILES_AT_ONCE;
    if (!batch || batch.length >= MESSAGES_AT_ONCE || (batch.length > 0 && isTooLarge)) {
      batches.push([message]);
      size = { bytes, files: named };
    } else batch.push(message);
  }
  return batches;
}

function toChatRow(
  chat: ChatToImport,
  { userId, filing, now }: Pick<ImportedChat, "userId" | "filing" | "now">,
): Omit<ChatRow, "stored_bytes"> {
  return {
    id: newId(),
    user_id: userId,
    title: oneLine(chat.title) || NEW_CHAT_TITLE,
    title_origin: chat.titleOrigin,
    leaf: null,
    created_at: Math.min(chat.createdAt, now),
    updated_at: Math.min(chat.updatedAt, now),
    changed_seq: 0,
    unread: 0,
    pinned: chat.isPinned ? 1 : 0,
    archived: chat.isArchived ? 1 : 0,
    folder_id: filing.folders.get(chat.folder ?? "") ?? null,
    // Hidden until it is complete. In the future, so that the sweep removes no chat that is still being stored.
    deleted_at: now + HOUR,
    instructions: chat.instructions,
    preset_id: filing.presets.get(chat.preset ?? "") ?? null,
    effort: chat.effort ?? null,
    tools: storedToolGroups(chat.tools),
    imported_from: null,
  };
}

function toMessageRow(
  message: MessageToImport,
  { ids, row, now }: { ids: ReadonlyMap<string, string>; row: ChatRow; now: number },
): MessageRow {
  const { id, parent, role, content, state, model, requestedModel, code } = message;
  const isAnswer = role === "assistant";
  return {
    id: ids.get(id) ?? newId(),
    user_id: row.user_id,
    chat_id: row.id,
    parent: parent === null ? null : (ids.get(parent) ?? null),
    role,
    content,
    model,
    // No process of this installation writes the reply.
    state: importedState(state),
    error_code: code === undefined ? null : isErrorCode(code) ? code : "assistant-failed",
    input_tokens: message.inputTokens ?? null,
    output_tokens: message.outputTokens ?? null,
    created_at: Math.min(message.createdAt, now),
    ended_at: message.endedAt === null ? null : Math.min(message.endedAt, now),
    owner: null,
    run: 0,
    requested_model: requestedModel ?? null,
    seams: storedSeams(seamsOf(message)),
    truncated: isAnswer && message.isTruncated ? 1 : 0,
    // The reply is continued only on request, not automatically when the chat is opened.
    resumed: 1,
    stop_requested: 0,
    rev: message.parts.at(-1)?.rev ?? 0,
    open_call: null,
  };
}

/** A reply that no process writes; one that waits for a decision has none to wait for here. */
function importedState(state: MessageState): MessageState {
  if (state === WAITING) return "stopped";
  return isRunning(state) ? "interrupted" : state;
}
