import { FOLDERS_MAX, PRESETS_MAX } from "#contract/limits.ts";
import type { ExportedFolder, ExportedPreset, ImportRequest, ImportResult } from "#contract/transfer.ts";
import { markFoldersChanged } from "../chats/change-store.ts";
import { listFolders } from "../chats/folders/folder-store.ts";
import { newId } from "../database/new-id.ts";
import type { Queryable } from "../database/schema.ts";
import { listPresets, markPresetsChanged } from "../presets/preset-store.ts";
import type { Filing } from "./import-chat.ts";
import { insertFolders, insertPresets, setFirstInstructions } from "./transfer-store.ts";

type Filed = { filing: Filing; folders: number; presets: number; problems: ImportResult["problems"] };
type Given = { userId: string; request: ImportRequest; now: number };

/**
 * What chats of a file are filed under: the account's folders and presets of the same names, the others made anew, as
 * far as there is room. The file's instructions become the account's where it has none.
 */
export async function importFiling(db: Queryable, { userId, request, now }: Given): Promise<Filed> {
  const { account, folders: givenFolders = [], presets: givenPresets = [] } = request;
  if (account?.instructions) {
    await markPresetsChanged(db, userId);
    await setFirstInstructions(db, userId, account.instructions);
  }
  const folders = givenFolders.length === 0 ? nothing : await fileFolders(db, { userId, given: givenFolders, now });
  const presets = givenPresets.length === 0 ? nothing : await filePresets(db, { userId, given: givenPresets, now });
  return {
    filing: { folders: folders.ids, presets: presets.ids },
    folders: folders.made,
    presets: presets.made,
    problems: [
      ...folders.left.map((name) => ({ chat: name, reason: "folder" as const })),
      ...presets.left.map((name) => ({ chat: name, reason: "preset" as const })),
    ],
  };
}

type Matched = { ids: ReadonlyMap<string, string>; made: number; left: string[] };
const nothing: Matched = { ids: new Map(), made: 0, left: [] };

type Named = { id: string; name: string };

/** By name, of several with one name each its own; of what is new, so much as there is room for. */
function match<T extends Named>(given: readonly T[], present: readonly Named[], max: number) {
  const byName = Map.groupBy(present, ({ name }) => name);
  const ids = new Map<string, string>();
  const added: T[] = [];
  const left: string[] = [];
  for (const one of given) {
    let own = byName.get(one.name)?.shift()?.id;
    if (own === undefined && present.length + added.length < max) {
      own = newId();
      added.push({ ...one, id: own });
    }
    if (own === undefined) left.push(one.name);
    else ids.set(one.id, own);
  }
  return { ids, added, left };
}

async function fileFolders(
  db: Queryable,
  { userId, given, now }: { userId: string; given: ExportedFolder[]; now: number },
): Promise<Matched> {
  // First, as it holds the account: of two imports at once, the second one finds what the first has made.
  await markFoldersChanged(db, userId);
  const present = await listFolders(db, userId);
  const { ids, added, left } = match(given, present, FOLDERS_MAX);
  const place = (present.at(-1)?.position ?? -1) + 1;
  const rows = added.map((one, at) => ({
    ...one,
    user_id: userId,
    position: place + at,
    created_at: now,
    deleted_at: null,
  }));
  await insertFolders(db, rows);
  return { ids, made: rows.length, left };
}

async function filePresets(
  db: Queryable,
  { userId, given, now }: { userId: string; given: ExportedPreset[]; now: number },
): Promise<Matched> {
  await markPresetsChanged(db, userId);
  const present = await listPresets(db, userId);
  const { ids, added, left } = match(given, present, PRESETS_MAX);
  const place = (present.at(-1)?.position ?? -1) + 1;
  const rows = added.map((one, at) => ({
    ...one,
    user_id: userId,
    position: place + at,
    created_at: now,
    deleted_at: null,
  }));
  await insertPresets(db, rows);
  return { ids, made: rows.length, left };
}
