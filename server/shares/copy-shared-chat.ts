import type { MessagePart } from "#contract/conversation/parts.ts";
import { EXPORT_FORMAT, EXPORT_VERSION, type ExportedChat, type ExportedMessage } from "#contract/transfer/transfer.ts";
import { refuseBelowFloor } from "../config/disk-space.ts";
import { Failure } from "../failure.ts";
import type { Files } from "../files/files.ts";
import { type ImportDeps, importDocument } from "../transfer/import/import-document.ts";
import { type ChatSource, findImported } from "../transfer/transfer-store.ts";
import { listShareFiles, type OpenableShare, readShareMessages } from "./share-store.ts";

export type CopyDeps = ImportDeps & { files: Pick<Files, "copy" | "remove"> };

/**
 * Copies the snapshot of a link into an account as a chat, with its files, as an import does. A snapshot that the account
 * has copied before is not copied again.
 * @returns the id of the chat
 * @throws Failure `not-found`, `quota-reached`, `storage-full`, `too-large`; `unavailable` if the copy was not stored
 */
export async function copySharedChat(deps: CopyDeps, userId: string, share: OpenableShare): Promise<string> {
  const { database } = deps;
  const source: ChatSource = { id: `${share.id}.${share.created_at}` };
  const present = await findImported(database, userId, source);
  if (present !== undefined) return present;
  await refuseBelowFloor(deps);
  const stored = await readShareMessages(database, share.id);
  if (stored === undefined) throw new Failure("not-found");
  const copies = new Map<string, string>();
  try {
    await copyFiles(deps, { userId, share, copies });
    const messages = (JSON.parse(stored) as ExportedMessage[]).map((message) => withCopies(message, copies));
    await storeChat(deps, userId, toChat(share, { source, messages, now: deps.clock.now() }));
  } finally {
    // Files that a message names are not removed.
    for (const id of copies.values()) await deps.files.remove(userId, id).catch(ignoreRefusal);
  }
  const chatId = await findImported(database, userId, source);
  if (chatId === undefined) throw new Failure("unavailable");
  return chatId;
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Failure)) throw error;
}

function ignoreAbsence(error: unknown): undefined {
  if (!(error instanceof Failure && error.code === "not-found")) throw error;
}

type FileCopies = { userId: string; share: OpenableShare; copies: Map<string, string> };

/** Adds the ids of the copies by the ids of the files. Of a file that was removed meanwhile there is none. */
async function copyFiles({ database, clock, config, files }: CopyDeps, { userId, share, copies }: FileCopies) {
  for (const { user_id: owner, file_id: id } of await listShareFiles(database, share.id)) {
    const copying = files.copy({ userId: owner, id }, { userId, now: clock.now(), quota: config });
    const copy = await copying.catch(ignoreAbsence);
    if (copy) copies.set(id, copy.id);
  }
}

function withCopies(message: ExportedMessage, copies: ReadonlyMap<string, string>): ExportedMessage {
  const { parts } = message;
  if (!parts) return message;
  const withCopy = (part: MessagePart): MessagePart[] => {
    if (part.kind !== "file") return [part];
    const id = copies.get(String(part.id));
    return id === undefined ? [] : [{ ...part, id }];
  };
  return { ...message, parts: parts.flatMap(withCopy) };
}

type ChatContent = { source: ChatSource; messages: ExportedMessage[]; now: number };

const toChat = (share: OpenableShare, { source: { id }, messages, now }: ChatContent): ExportedChat => ({
  ...{ id, title: share.title, titleOrigin: "person" },
  ...{ createdAt: messages[0]?.createdAt ?? share.created_at, updatedAt: now },
  ...{ isPinned: false, isArchived: false, folder: null, instructions: "", preset: null },
  leaf: messages.at(-1)?.id ?? null,
  messages,
});

/** @throws Failure */
async function storeChat(deps: CopyDeps, userId: string, chat: ExportedChat): Promise<void> {
  const document = { format: EXPORT_FORMAT, version: EXPORT_VERSION, chats: [chat] };
  const { problems } = await importDocument(deps, userId, document);
  const [problem] = problems;
  if (problem?.reason === "quota") throw new Failure("quota-reached");
  if (problem?.reason === "too-large") throw new Failure("too-large");
  if (problem && problem.reason !== "files") throw new Failure("unavailable");
}
