import { fileKindOf } from "#contract/files.ts";
import { AUTO_MODEL, type ModelGroup, type ModelOption } from "#contract/models.ts";

/** Kinds of files that some models do not read. */
export type UnreadKind = "picture" | "pdf";

/**
 * `unread`: the kinds that the chosen model does not read, or with automatic choice no model at all. `readers`: the
 * available models that read more of the files, the best first.
 */
export type Unread = { unread: readonly UnreadKind[]; readers: readonly ModelOption[] };

const reads = (model: ModelOption, kind: UnreadKind) => (kind === "picture" ? model.images : model.pdf) === true;

/**
 * Returns which of the files a model does not read; null if it reads all, or if the models are not known yet.
 * @param model value of the chosen model
 */
export function unreadFiles(
  files: readonly { type: string }[],
  groups: readonly ModelGroup[],
  model: string,
): Unread | null {
  const kinds = (["picture", "pdf"] as const).filter((kind) => files.some(({ type }) => fileKindOf(type) === kind));
  const models = groups.flatMap((group) => group.models);
  const available = models.filter((each) => each.available);
  if (kinds.length === 0 || available.length === 0) return null;
  // The server chooses a model that reads the files, if there is one.
  const candidates = model === AUTO_MODEL ? available : models.filter(({ value }) => value === model);
  if (candidates.length === 0) return null;
  const count = (each: ModelOption) => kinds.filter((kind) => reads(each, kind)).length;
  const most = Math.max(...candidates.map(count));
  if (most === kinds.length) return null;
  const unread = kinds.filter((kind) => !candidates.some((each) => reads(each, kind)));
  if (unread.length === 0) return null;
  const readers = available.filter((each) => count(each) > most).sort((one, other) => count(other) - count(one));
  return { unread, readers };
}
