import { FOLDERS_MAX, PRESETS_MAX } from "#contract/limits.ts";
import type { ExportedFolder, ExportedPreset, ImportRequest, ImportResult } from "#contract/transfer/transfer.ts";
import { markFoldersChanged, markInstructionsChanged } from "../../chats/change-store.ts";
import { listFolders } from "../../chats/folders/folder-store.ts";
import { newId } from "../../database/new-id.ts";
import { nextPosition } from "../../database/positions.ts";
import type { Queryable } from "../../database/schema.ts";
import { listPresets, markPresetsChanged } from "../../presets/preset-store.ts";
import { storedToolGroups } from "../../presets/tool-groups.ts";
import { insertFolders, insertPresets, setFirstInstructions } from "../transfer-store.ts";
import type { Filing } from "./import-chat.ts";

type Filed = { filing: Filing; folders: number; presets: number; problems: ImportResult["problems"] };
type Given = {
  userId: string;
  request: ImportRequest;
  now: number;
  /** Called in the transaction that sets the account's instructions. */
  onInstructions: (db: Queryable) => Promise<void>;
};

/**
 * Maps the folders and presets of a file to those of the account with the same names. Creates the missing ones up to
 * the account's limits. The file's instructions become the account's if it has none.
 */
export async function importFiling(db: Queryable, { userId, request, now, onInstructions }: Given): Promise<Filed> {
  const { account, folders: givenFolders = [], presets: givenPresets = [] } = request;
  if (account?.instructions && (await setFirstInstructions(db, userId, account.instructions))) {
    await markInstructionsChanged(db, userId);
    await onInstructions(db);
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
type Owner = { userId: string; now: number };

/**
 * Matches given items with present ones by name; items that share a name are matched one to one.
 * `added`: rows for the unmatched ones, positioned after the present ones, as long as there are fewer than `max`.
 * `left`: names of the others.
 */
function match<T extends Named>(
  given: readonly T[],
  present: readonly (Named & { position: number })[],
  { max, userId, now }: Owner & { max: number },
) {
  const byName = Map.groupBy(present, ({ name }) => name);
  const place = nextPosition(present);
  const ids = new Map<string, string>();
  const added: (T & { user_id: string; position: number; created_at: number; deleted_at: null })[] = [];
  const left: string[] = [];
  for (const one of given) {
    let own = byName.get(one.name)?.shift()?.id;
    if (own === undefined && present.length + added.length < max) {
      own = newId();
      const position = place + added.length;
      added.push({ ...one, id: own, user_id: userId, position, created_at: now, deleted_at: null });
    }
    if (own === undefined) left.push(one.name);
    else ids.set(one.id, own);
  }
  return { ids, added, left };
}

async function fileFolders(
  db: Queryable,
  { userId, given, now }: Owner & { given: ExportedFolder[] },
): Promise<Matched> {
  // First, because it locks the account: of two concurrent imports, the second finds the folders of the first.
  await markFoldersChanged(db, userId);
  const { ids, added, left } = match(given, await listFolders(db, userId), { max: FOLDERS_MAX, userId, now });
  await insertFolders(db, added);
  return { ids, made: added.length, left };
}

async function filePresets(
  db: Queryable,
  { userId, given, now }: Owner & { given: ExportedPreset[] },
): Promise<Matched> {
  await markPresetsChanged(db, userId);
  const { ids, added, left } = match(given, await listPresets(db, userId), { max: PRESETS_MAX, userId, now });
  await insertPresets(
    db,
    added.map((preset) => ({ ...preset, effort: preset.effort ?? null, tools: storedToolGroups(preset.tools) })),
  );
  return { ids, made: added.length, left };
}
