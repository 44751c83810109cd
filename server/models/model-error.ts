import type { ErrorCode } from "#contract/errors.ts";

export type AssistantErrorCode = Extract<ErrorCode, `assistant-${string}`>;

type Details = { cause?: unknown; status?: number; providerCode?: string; retryAfterMs?: number };

const RETRYABLE: readonly AssistantErrorCode[] = [
  "assistant-busy",
  "assistant-unreachable",
  "assistant-stalled",
  "assistant-broken-off",
  "assistant-failed",
];

/**
 * A model could not answer. `code` words it for people; `message`, `status` and `providerCode` are for the log and
 * hold nothing that a provider wrote freely, so neither keys nor prompts.
 */
export class ModelError extends Error {
  readonly code: AssistantErrorCode;
  /** HTTP status of the provider's answer, where there was one. */
  readonly status: number | undefined;
  /** The provider's own stable word, e.g. `rate_limit_exceeded`. */
  readonly providerCode: string | undefined;
  /** How long the provider asks to wait, in ms. */
  readonly retryAfterMs: number | undefined;

  constructor(code: AssistantErrorCode, { cause, status, providerCode, retryAfterMs }: Details = {}) {
    super([code, status && `status ${status}`, providerCode].filter(Boolean).join(", "), { cause });
    this.name = "ModelError";
    this.code = code;
    this.status = status;
    this.providerCode = providerCode;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether the same call may go better a little later (before the first word; after it, only by Continue). */
  get isRetryable(): boolean {
    return RETRYABLE.includes(this.code) && !this.#isOurFault;
  }

  /** Whether under automatic choice the next model may do better: a refusal is not taken elsewhere. */
  get isForNextModel(): boolean {
    return this.code !== "assistant-refused";
  }

  /** Where the trouble lies: the provider or this one model of it is to be left alone for a while, a prompt is not. */
  get trouble(): "provider" | "model" | "prompt" {
    if (this.code !== "assistant-misconfigured") return this.isRetryable ? "provider" : "prompt";
    // The key is good, the model is not there or does not take our parameters.
    return this.status === 404 || this.status === 400 ? "model" : "provider";
  }

  /** The provider understood and said no: asking again brings the same answer. */
  get #isOurFault(): boolean {
    const { status = 0 } = this;
    return status >= 400 && status < 500 && ![408, 409, 425, 429].includes(status);
  }
}
