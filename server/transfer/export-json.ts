import { EXPORT_FORMAT, EXPORT_VERSION, type ExportDocument } from "#contract/transfer/transfer.ts";
import { findChat } from "../chats/chat-store.ts";
import { listFolders, toFolder } from "../chats/folders/folder-store.ts";
import type { Clock } from "../concurrency/clock.ts";
import type { HeavyRead } from "../concurrency/heavy-reads.ts";
import { contentOf } from "../conversation/message-content.ts";
import { jsonWithParts } from "../conversation/parts/json-with-parts.ts";
import { readTree } from "../conversation/read-pages.ts";
import type { Replies } from "../conversation/reply/replies.ts";
import type { ChatRow, Database, FolderRow, PresetRow } from "../database/schema.ts";
import type { Files } from "../files/files.ts";
import type { InstallationSettings } from "../installation/installation-settings.ts";
import { listPresets } from "../presets/preset-store.ts";
import { toExportedChat, toExportedMessage, toExportedPreset } from "./to-exported.ts";
import { listChatIdsAfter, readAccountInstructions } from "./transfer-store.ts";

export type ExportDeps = {
  database: Database;
  clock: Clock;
  replies: Pick<Replies, "find">;
  files: Pick<Files, "open" | "listOf">;
  installation: Pick<InstallationSettings, "current">;
  read: HeavyRead;
};

/** Page size of chat ids, which bounds memory. */
const CHATS_AT_ONCE = 100;

/** Yields the whole content of an account as pieces of one JSON document, one chat per line. */
export async function* exportAccount(deps: ExportDeps, userId: string): AsyncGenerator<string> {
  const { database } = deps;
  const filing = { folders: await listFolders(database, userId), presets: await listPresets(database, userId) };
  const account = { instructions: await readAccountInstructions(database, userId) };
  yield openDocument(deps, { account, ...filing });
  let separator = "\n";
  for (let after = ""; ; ) {
    const ids = await listChatIdsAfter(database, userId, { after, limit: CHATS_AT_ONCE });
    for (const id of ids) {
      // A slow client may reach this chat much later, so it may have been deleted or continued since.
      const chat = await findChat(database, userId, id);
      if (!chat) continue;
      yield separator;
      separator = ",\n";
      yield* exportChat(deps, chat, filing);
      await deps.read.step();
    }
    const last = ids.at(-1);
    if (last === undefined || ids.length < CHATS_AT_ONCE) break;
    after = last;
  }
  yield "\n]}\n";
}

/** Yields one chat as a document of its own, with its folder and its preset. */
export async function* exportSingleChat(deps: ExportDeps, chat: ChatRow): AsyncGenerator<string> {
  const { database } = deps;
  const { user_id: userId } = chat;
  const folders = (await listFolders(database, userId)).filter(({ id }) => id === chat.folder_id);
  const presets = (await listPresets(database, userId)).filter(({ id }) => id === chat.preset_id);
  yield openDocument(deps, { folders, presets });
  yield "\n";
  yield* exportChat(deps, chat, { folders, presets });
  yield "\n]}\n";
}

type Filing = { folders: FolderRow[]; presets: PresetRow[] };

function openDocument(
  { clock, installation }: ExportDeps,
  { account, folders, presets }: Filing & Pick<ExportDocument, "account">,
): string {
  const head: Omit<ExportDocument, "chats"> = {
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    exportedAt: clock.now(),
    product: installation.current.productName,
    ...(account && { account }),
    folders: folders.map(toFolder),
    presets: presets.map(toExportedPreset),
  };
  return `${JSON.stringify(head).slice(0, -1)},"chats":[`;
}

async function* exportChat(deps: ExportDeps, chat: ChatRow, filing: Filing): AsyncGenerator<string> {
  const { database } = deps;
  yield `${JSON.stringify(toExportedChat(chat, filing)).slice(0, -1)},"messages":[`;
  const { read } = deps;
  let separator = "";
  for await (const { rows, stored } of readTree({ database, userId: chat.user_id, read }, chat.id)) {
    for (const row of rows) {
      yield separator;
      yield* jsonWithParts(toExportedMessage(row, await contentOf(deps, row, stored.get(row.id))), read.step);
      separator = ",";
      await read.step();
    }
  }
  yield "]}";
}
