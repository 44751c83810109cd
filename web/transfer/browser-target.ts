import { filePaths } from "#contract/files/paths.ts";
import { isFileRefusal } from "#contract/transfer/import/archive-uploads.ts";
import type { ImportTarget } from "#contract/transfer/import/import-source.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { type ImportResult, importResultSchema } from "#contract/transfer/transfer.ts";
import { parseJson } from "../api/api-error.ts";
import { ApiError, api, readApiError } from "../api/client.ts";
import { wait } from "../api/wait.ts";
import { FileUpload } from "../files/upload/file-upload.ts";
import { type ProgressTransport, xhrTransport } from "../files/upload/upload-transport.ts";
import { FileFailure, failureOf } from "../files/upload-failure.ts";

export const joinBlob = (pieces: readonly Uint8Array<ArrayBuffer>[]): Blob => new Blob([...pieces]);

/**
 * Sends chats and files to the server.
 * @param transport sends the files; by default by XMLHttpRequest
 */
export const browserTarget = (
  signal: AbortSignal,
  transport: ProgressTransport = xhrTransport,
): ImportTarget<Blob> => ({
  send: (body) => sendBatch(body, signal),
  // Without an answer the server may import the chats still.
  mayComplete: (error) => !(error instanceof ApiError && error.status > 0),
  remove: (id) => api.delete(filePaths.file(id)),
  async upload(file, onSent) {
    const deps = { api, transport, signal, onSent, onWait: () => {} };
    try {
      // As a new one, although the account may have it: then the first request is answered with the whole file.
      await new FileUpload(file, deps, true).run();
      return null;
    } catch (cause) {
      const { error } = failureOf(cause);
      const isOne = cause instanceof ApiError || cause instanceof FileFailure;
      if (isOne && isFileRefusal(error)) return error;
      throw cause;
    }
  },
});

/** Sends a batch. Retries are safe: the server skips chats that it has already. */
async function sendBatch(body: string, signal: AbortSignal): Promise<ImportResult> {
  for (let tries = 1; ; tries++) {
    const response = await api.open(transferPaths.import, { method: "POST", body, signal });
    const text = response.ok ? await response.text() : "";
    if (response.ok) return importResultSchema.parse(parseJson(text));
    const error = await readApiError(response);
    if (!isForLater(error) || tries >= MAX_TRIES) throw error;
    await wait(error.retryAfterMs ?? RETRY_MS, signal);
  }
}

const RETRY_MS = 2000;
const MAX_TRIES = 5;

function isForLater({ status, code }: ApiError): boolean {
  return code === "too-many-requests" || status === 503;
}
