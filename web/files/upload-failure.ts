import { ApiError } from "../api/client.ts";

/**
 * A file that cannot be uploaded. `code`: of `contract/errors.ts`, or with the kind of a picture that the browser cannot
 * convert: `no-decoder/TIFF`; `no-canvas/AVIF` where it lets no page read pictures.
 */
export class FileFailure extends Error {
  override readonly name = "FileFailure";
  readonly code: string;

  constructor(code: string, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

/** Refusals that another attempt with the same bytes can overcome, after the user has made room, for example. */
const RETRIABLE: readonly string[] = [
  ...["quota-reached", "too-many-files", "storage-full", "too-many-requests", "unavailable", "draining", "internal"],
  ...["upload-moved"],
];

/** Returns the code of a failed upload, and whether a retry with the same bytes can succeed. */
export function failureOf(cause: unknown): { error: string; canRetry: boolean } {
  if (cause instanceof FileFailure) return { error: cause.code, canRetry: RETRIABLE.includes(cause.code) };
  if (!(cause instanceof ApiError)) return { error: "internal", canRetry: true };
  const error = cause.problem?.code ?? (cause.status === 413 ? "file-too-large" : "unavailable");
  return { error, canRetry: RETRIABLE.includes(error) };
}

/**
 * Whether a request of an upload can be repeated: without an answer, or where the server or a proxy is overloaded,
 * restarting or broken. The server stores a piece once, however often it is sent.
 */
export function isPassing(cause: unknown): cause is ApiError {
  if (!(cause instanceof ApiError) || cause.code === "storage-full") return false;
  return cause.status === 0 || cause.status === 408 || cause.status === 429 || cause.status >= 500;
}
