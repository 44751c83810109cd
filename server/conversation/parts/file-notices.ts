import { isDeepStrictEqual } from "node:util";
import { NOTICE_NAMES_MAX } from "#contract/conversation/known-parts.ts";
import { refuserOf } from "../../models/attachments/file-refusals.ts";
import type { PartialFile } from "../../models/attachments/prompt-files.ts";
import type { Model } from "../../models/model.ts";
import type { EarlierReplies } from "./earlier-replies.ts";
import type { Notice } from "./message-part.ts";

/** Files of older questions that have a notice each. More are in one notice. */
const SEPARATE_MAX = 3;
/** Separate notices of files that were refused, whatever their number: they are what the server knows of refusals. */
const REFUSED_MAX = 50;

/** `newest`: ids of the files of the last question; `partial`: files that the model does not receive whole. */
export type FileReceipt = { newest: ReadonlySet<string>; partial: readonly PartialFile[] };

/**
 * Returns the notices of the files that a model does not receive whole: those of the last question, and those of older
 * ones that the last replies by the same model have not noted.
 * @param earlier absent: every reply has all notices of older files
 */
export async function fileNotices(
  { newest, partial }: FileReceipt,
  model: Model,
  earlier: EarlierReplies | undefined,
): Promise<Notice[]> {
  const older = partial.filter(({ id }) => !newest.has(id));
  const noted = older.length > 0 && earlier ? await notedFiles(earlier, model.value, older) : nothing;
  const unnoted = older.filter(({ id, received }) => noted.files.get(id) !== received);
  const refused = unnoted.filter(({ obstacle }) => obstacle === "refused").slice(-REFUSED_MAX);
  const others = unnoted.filter((file) => !refused.includes(file));
  const many = others.length > SEPARATE_MAX ? manyNotice(others) : undefined;
  const separate = [...refused, ...(many ? [] : others), ...partial.filter(({ id }) => newest.has(id))];
  return [
    ...(many && !isDeepStrictEqual(many.params, noted.many) ? [many] : []),
    ...separate.map((file) => noticeOf(file, model)),
  ];
}

function noticeOf({ id, name, received, obstacle }: PartialFile, model: Model): Notice {
  const reason = obstacle && { reason: obstacle, by: refuserOf(model) };
  return { code: "file", params: { file: id, name, received, ...reason } };
}

function manyNotice(files: readonly PartialFile[]): Notice {
  const names = files.slice(-NOTICE_NAMES_MAX).map(({ name }) => name);
  return { code: "files", params: { files: files.length, names: names.join(", ") } };
}

/** `files`: what the newest notice of each file says that the model received; `many`: parameters of the one of many. */
type Noted = { files: ReadonlyMap<string, unknown>; many?: unknown };
const nothing: Noted = { files: new Map() };

/** Returns what the last replies by a model have noted about files. */
async function notedFiles(earlier: EarlierReplies, value: string, wanted: readonly PartialFile[]): Promise<Noted> {
  const files = new Map<string, unknown>();
  let many: unknown;
  for await (const { model, notices } of earlier()) {
    if (model !== value || (many && wanted.every(({ id }) => files.has(id)))) break;
    for (const { code, params } of notices.toReversed()) {
      if (code === "files") many ??= params;
      if (code === "file" && !files.has(String(params.file))) files.set(String(params.file), params.received);
    }
  }
  return { files, many };
}

/** Returns the ids of the files that a model's provider has refused for replies of the branch. */
export async function refusedBefore(earlier: EarlierReplies, model: Model): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const { notices } of earlier()) {
    for (const { code, params } of notices) {
      if (code === "file" && params.reason === "refused" && params.by === refuserOf(model))
        ids.add(String(params.file));
    }
  }
  return ids;
}
