import type { AttachedFile } from "#contract/files/files.ts";

/**
 * - `preparing`: a picture is scaled and encoded;
 * - `waiting`: for other uploads, for another tab that uploads the file, for the server or for the network;
 * - `uploading`; `reading`: all bytes are sent, and the server reads them;
 * - `ready`: can be sent; `failed`: cannot be sent.
 */
export type DraftFileState = "preparing" | "waiting" | "uploading" | "reading" | "ready" | "failed";

/**
 * A file of a draft. `size` in bytes; `progress`: 0 to 1. `preview`: blob URL of a picture. `error`: the code of a
 * `FileFailure`, or `offline` for a file that waits for the network. `file`: as the server has read it. `isLocal`: it
 * stays in this page until its message is sent.
 */
export type DraftFile = {
  id: string;
  name: string;
  type: string;
  size: number;
  preview?: string;
  state: DraftFileState;
  progress: number;
  error?: string;
  canRetry?: boolean;
  file?: AttachedFile;
  isLocal?: boolean;
};

/** A file that was not added. `code`: an error code of `contract/errors.ts`. */
export type AddProblem = {
  name: string;
  code: "file-empty" | "file-too-large" | "file-type" | "too-many-files" | "files-off";
};

/** Whether a file will become ready or fail by itself. */
export const isUnderWay = ({ state }: DraftFile): boolean => state !== "ready" && state !== "failed";

/** Whether a file can never be sent. */
export const isRefused = ({ state, canRetry = false }: DraftFile): boolean => state === "failed" && !canRetry;

/** Limits of attached files, `maxBytes` of one. */
export type FileLimits = { maxBytes: number; maxPerMessage: number };
