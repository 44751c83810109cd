import type { AttachedFile } from "#contract/files/files.ts";
import { api } from "../../api/client.ts";
import { failureWords } from "../../files/attach/failure-words.ts";
import { notifyRefused } from "../../files/attach/notify-refused.ts";
import type { DraftedFile, DraftFiles } from "../../files/draft-files.ts";
import { localFile } from "../../files/local-files.ts";
import { readFileBytes } from "../../files/shown/read-file-bytes.ts";
import { FileUpload } from "../../files/upload/file-upload.ts";
import { xhrTransport } from "../../files/upload/upload-transport.ts";
import { FileFailure } from "../../files/upload-failure.ts";
import filesTexts from "../../locales/en/files.json";
import { i18n, registerTexts } from "../../locales/i18n.ts";
import { notify } from "../../ui/notifications/notify.ts";

registerTexts("files", filesTexts);

type DraftKey = string | null;

/** The files of the drafts of a session. */
type Drafts = {
  bytesOf: (id: string) => Promise<Blob | null>;
  at: (draftKey: DraftKey) => Pick<DraftFiles, "add" | "remove">;
};

/**
 * Moves files of a draft to a draft of another session. Each is removed from its draft once it is in the other; one
 * that can be read nowhere, or that the other draft refuses, stays, and a notification names it.
 */
export async function moveBetween(
  source: Drafts,
  { draftKey, files }: { draftKey: DraftKey; files: readonly DraftedFile[] },
  target: Pick<Drafts, "at">,
  targetKey: DraftKey,
): Promise<void> {
  for (const { id, name, type, isPasted } of files) {
    const bytes = (await source.bytesOf(id)) ?? (await readFileBytes(id).catch(() => null));
    const [problem] = bytes ? await target.at(targetKey).add([new File([bytes], name, { type })], isPasted) : [];
    if (bytes && !problem) source.at(draftKey).remove(id, true);
    else if (problem) notifyRefused([problem]);
    else notify("error", i18n.t("files:isGone", { name }));
  }
}

/**
 * Uploads files that only this page has, under their ids. Does nothing for one that the server has already.
 * @throws ApiError, or Error with a sentence, if one cannot be uploaded
 */
export async function uploadLocalFiles(files: readonly AttachedFile[], signal: AbortSignal): Promise<void> {
  const parts = { api, transport: xhrTransport, signal, onSent: () => {}, onWait: () => {} };
  for (const { id, name } of files) {
    const bytes = localFile(id) ?? null;
    await new FileUpload({ id, name, bytes }, parts, true).run().catch((cause: unknown) => {
      throw cause instanceof FileFailure ? new Error(failureWords(cause.code), { cause }) : cause;
    });
  }
}
