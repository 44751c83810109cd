import type { ErrorCode } from "#contract/errors.ts";

export type AssistantErrorCode = Extract<ErrorCode, `assistant-${string}`>;

type Details = {
  cause?: unknown;
  status?: number | undefined;
  providerCode?: string | undefined;
  field?: string | undefined;
  part?: string | undefined;
  isAboutFile?: boolean | undefined;
  refusesPictures?: boolean | undefined;
  refusesTools?: boolean | undefined;
  refusedFile?: string | undefined;
  retryAfterMs?: number | undefined;
};

const RETRYABLE: readonly AssistantErrorCode[] = [
  "assistant-busy",
  "assistant-unreachable",
  "assistant-stalled",
  "assistant-broken-off",
  "assistant-failed",
];

/**
 * Failure of a call to a model. `code` is translated for people; `message`, `status`, `providerCode`, `field` and `part`
 * are for the log. They contain no free text of a provider, and so neither keys nor prompts.
 */
export class ModelError extends Error {
  readonly code: AssistantErrorCode;
  /** HTTP status of the provider's response, if there was one. */
  readonly status: number | undefined;
  /** The provider's own error code, e.g. `rate_limit_exceeded`, or that of the proxy, e.g. `proxy_password`. */
  readonly providerCode: string | undefined;
  /** Field of the request that the provider refuses, e.g. `temperature`. */
  readonly field: string | undefined;
  /** Part of a message in the request that the provider refuses, by its path, e.g. `messages.2.content.0`. */
  readonly part: string | undefined;
  /** Whether the provider refuses an attached file. It may not say which one. */
  readonly isAboutFile: boolean;
  /** Whether the provider refuses any picture, for this model. */
  readonly refusesPictures: boolean;
  /** Whether the provider refuses tools, for this model. */
  readonly refusesTools: boolean;
  /** Id of the file that the provider refuses. */
  readonly refusedFile: string | undefined;
  /** Delay before a retry that the provider asks for, in ms. */
  readonly retryAfterMs: number | undefined;

  constructor(code: AssistantErrorCode, details: Details = {}) {
    const { cause, status, providerCode, field, part, refusedFile, isAboutFile = false, retryAfterMs } = details;
    const { refusesPictures = false, refusesTools = false } = details;
    const words = [code, status && `status ${status}`, providerCode, field && `field ${field}`, part];
    super(words.filter(Boolean).join(", "), { cause });
    this.name = "ModelError";
    this.code = code;
    this.status = status;
    this.providerCode = providerCode;
    this.field = field;
    this.part = part;
    this.isAboutFile = isAboutFile;
    this.refusesPictures = refusesPictures;
    this.refusesTools = refusesTools;
    this.refusedFile = refusedFile;
    this.retryAfterMs = retryAfterMs;
  }

  /** Returns the same failure, caused by a file. */
  withFile(id: string): ModelError {
    const { code, cause, ...details } = this;
    return new ModelError(code, { ...details, cause, isAboutFile: true, refusedFile: id });
  }

  /** Whether a retry of the same call may succeed (before the first word; after it, only by Continue). */
  get isRetryable(): boolean {
    return RETRYABLE.includes(this.code) && !this.isAboutFile && !this.#isOurFault;
  }

  /** Whether automatic choice may try the next model. A refused prompt is not sent to another model. */
  get isForNextModel(): boolean {
    return this.code !== "assistant-refused";
  }

  /** Cause of the failure. A provider or a single model is skipped for a while; for `prompt` none is. */
  get trouble(): "provider" | "model" | "prompt" {
    if (this.isAboutFile) return "prompt";
    if (this.code === "assistant-unsuited" || this.code === "assistant-model-gone") return "model";
    if (this.code === "assistant-no-credit") return "provider";
    if (this.code !== "assistant-misconfigured") return this.isRetryable ? "provider" : "prompt";
    // The key is valid, but the model does not exist. xAI and Gemini refuse a key with 400.
    return this.status === 404 ? "model" : "provider";
  }

  /** Whether the provider rejected the request itself, so that a retry would fail too. */
  get #isOurFault(): boolean {
    const { status = 0 } = this;
    return status >= 400 && status < 500 && ![408, 409, 425, 429].includes(status);
  }
}
