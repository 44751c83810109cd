import { isFilePart, type Part } from "../../conversation/parts/message-part.ts";
import { fileNamesOf } from "../../conversation/parts/unstored-parts.ts";
import type { Database, MessagePartRow, Queryable } from "../../database/schema.ts";
import { toAttachedFile } from "../../files/attached-file-store.ts";
import { type FileName, findReady, nameOwnFiles } from "../../files/imported-file-store.ts";
import { type FileTokens, indexFiles, tokeniseFiles } from "../../search/search-index-store.ts";
import { type ChatSource, listUnnamedFileParts } from "../transfer-store.ts";
import type { MessageToImport } from "./chat-to-import.ts";

/** Files that one transaction names: tokens of ten texts may take 60 MB of memory. */
export const FILES_AT_ONCE = 10;

/**
 * Replaces the facts in file parts by those that the server has read of the account's files. Parts of other files keep
 * their facts: they are shown as no longer here.
 */
export async function withFileFacts(
  db: Queryable,
  userId: string,
  messages: readonly MessageToImport[],
  step: () => Promise<void>,
): Promise<MessageToImport[]> {
  const ids = new Set<string>();
  for (const { parts } of messages) {
    for (const part of parts) if (isFilePart(part)) ids.add(fileIdOf(part));
    await step();
  }
  if (ids.size === 0) return [...messages];
  const files = await findReady(db, userId, [...ids]);
  const withFacts = (part: Part): Part => {
    const row = isFilePart(part) ? files.get(fileIdOf(part)) : undefined;
    if (!row) return part;
    const { tool } = part.body;
    return { ...part, body: { ...toAttachedFile(row), ...(tool !== undefined && { tool }) } };
  };
  const described: MessageToImport[] = [];
  for (const message of messages) {
    described.push({ ...message, parts: message.parts.map(withFacts) });
    await step();
  }
  return described;
}

const fileIdOf = ({ body }: Part): string => String(body.id);

/** Files that messages name, and their tokens for the index. */
export type FilesToName = { named: readonly FileName[]; tokens: FileTokens };

type FilePartRow = Pick<MessagePartRow, "message_id" | "seq" | "kind" | "body">;

/**
 * Returns what {@link nameFilesOf} stores for file parts. To be called before its transaction. Files that the account
 * does not have, or that are not ready, are left out.
 */
export async function filesToName(db: Queryable, userId: string, parts: readonly FilePartRow[]): Promise<FilesToName> {
  const all = fileNamesOf(parts);
  const tokens = await tokeniseFiles(db, userId, [...new Set(all.map(({ file_id }) => file_id))]);
  return { named: all.filter(({ file_id }) => tokens.has(file_id)), tokens };
}

/** Lets messages name files, which are then found by the search and removed with the messages. */
export async function nameFilesOf(db: Queryable, userId: string, { named, tokens }: FilesToName): Promise<void> {
  await nameOwnFiles(db, userId, named);
  await indexFiles(db, userId, [...new Set(named.map(({ message_id }) => message_id))], tokens);
}

/**
 * Lets the messages of an existing chat name the files that have arrived since it was imported, so that an import that
 * lacked files can be repeated with them.
 * @returns whether files are missing still
 */
export async function nameArrivedFiles(database: Database, userId: string, source: ChatSource): Promise<boolean> {
  const unnamed = await listUnnamedFileParts(database, userId, source);
  if (unnamed.length === 0) return false;
  for (let at = 0; at < unnamed.length; at += FILES_AT_ONCE) {
    const files = await filesToName(database, userId, unnamed.slice(at, at + FILES_AT_ONCE));
    if (files.named.length === 0) continue;
    await database.transaction().execute((db) => nameFilesOf(db, userId, files));
  }
  return (await listUnnamedFileParts(database, userId, source)).length > 0;
}
