import type { DraftFile } from "../draft-files.ts";
import { isRefused } from "../upload/upload-state.ts";

/** A change that is announced to screen readers. `isLocal`: the file was not uploaded. */
export type UploadNews = { name: string; error?: string; isLocal?: boolean };

/**
 * Returns which files are uploaded or have failed since `before`; a file that is new here is no news. A notification
 * names files that can never be sent.
 */
export function newsBetween(before: readonly DraftFile[], now: readonly DraftFile[]): UploadNews[] {
  const known = new Map(before.map((file) => [file.id, file.state]));
  return now.flatMap((file): UploadNews[] => {
    const { id, name, state, error, isLocal } = file;
    const was = known.get(id);
    if (was === undefined || was === state || isRefused(file)) return [];
    if (state === "ready") return [{ name, ...(isLocal && { isLocal }) }];
    return state === "failed" ? [{ name, error: error ?? "internal" }] : [];
  });
}
