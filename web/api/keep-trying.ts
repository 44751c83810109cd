import { SECOND } from "#contract/limits.ts";
import { ApiError, readApiError } from "./api-error.ts";
import { Backoff } from "./backoff.ts";
import { type Verdict, verdict } from "./verdict.ts";
import { wait } from "./wait.ts";

/** Timeout of a response; without one the connection counts as dead. */
export const ANSWER_MS = 20 * SECOND;
/** Time without a response after which the wait is shown to the user. */
const SLOW_MS = 4 * SECOND;
/** If other replies must end first, the request is retried after this time to twice this time. */
const CAPACITY_RETRY_MS = SECOND;
/** Upper limit of the server's `Retry-After` in that case: free capacity must not stay unused. */
const CAPACITY_RETRY_MAX_MS = 8 * SECOND;

type FullReason = Extract<Verdict, "rate-limited" | "at-capacity">;

export type Patience = {
  signal: AbortSignal;
  /** Timeout of a response to a request that takes long to be sent, which is not shown as a wait. */
  answerMs?: number;
  /**
   * The server is unreachable or silent. Called at least once if more than one attempt is needed; with the reason once
   * an attempt has failed.
   */
  onUnavailable?: (cause?: ApiError) => void;
  /** The server accepts the request only after something else has ended. Called after each attempt refused for this. */
  onFull?: (reason: FullReason) => void;
  /** Calls `listener` whenever there may be capacity again; returns the unsubscribe function. */
  onRoom?: (listener: () => void) => () => void;
};

/** Whether our server sent no response, or reports that it is shutting down or has no database. */
export function isUnavailable(cause: unknown): cause is ApiError {
  return cause instanceof ApiError && verdict(cause) === "unavailable";
}

/** Returns why our server accepts the request only after something else has ended; null if that is not the reason. */
function fullReason(cause: unknown): FullReason | null {
  const reason = cause instanceof ApiError && verdict(cause);
  return reason === "rate-limited" || reason === "at-capacity" ? reason : null;
}

/** Throws an {@link ApiError} for a response that {@link keepTrying} retries; returns any other response unchanged. */
export async function refusePassing(response: Response): Promise<Response> {
  if (response.status < 500 && response.status !== 429) return response;
  const error = await readApiError(response.clone());
  if (!isUnavailable(error) && fullReason(error) === null) return response;
  await response.body?.cancel();
  throw error;
}

/** Makes one attempt. Rejects with an {@link ApiError} of status 0 if no response arrives within 20 s, or `answerMs`. */
export async function askOnce<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  answerMs = ANSWER_MS,
): Promise<T> {
  signal.throwIfAborted();
  const trying = new AbortController();
  const ended = Promise.withResolvers<never>();
  trying.signal.addEventListener("abort", () => ended.reject(trying.signal.reason));
  const timeout = new ApiError(0, "No answer", { code: "unreachable" });
  const timer = setTimeout(() => trying.abort(timeout), answerMs);
  const leave = () => trying.abort(signal.reason);
  signal.addEventListener("abort", leave);
  try {
    // After a response the listener stays, because the signal must also abort the response's body.
    return await Promise.race([ask(trying.signal), ended.promise]);
  } catch (cause) {
    signal.removeEventListener("abort", leave);
    throw cause;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Retries until there is a response; `ask` must send the same request each time. Rejects with an error of `ask` that is
 * not {@link isUnavailable}, with the last such error after two minutes of attempts (time without a network does not count),
 * or with the signal's reason. Waits for capacity without a limit.
 */
export async function keepTrying<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  { signal, answerMs, onUnavailable, onFull, onRoom }: Patience,
): Promise<T> {
  const backoff = new Backoff();
  for (;;) {
    const slow = answerMs === undefined ? setTimeout(() => onUnavailable?.(), SLOW_MS) : undefined;
    const began = Date.now();
    try {
      return await askOnce(ask, signal, answerMs);
    } catch (cause) {
      signal.throwIfAborted();
      clearTimeout(slow);
      const reason = fullReason(cause);
      if (reason) {
        // The server is reachable: a later loss is a new failure.
        backoff.reset();
        onFull?.(reason);
        await waitForRoom(cause instanceof ApiError ? cause.retryAfterMs : undefined, onRoom, signal);
        continue;
      }
      if (!isUnavailable(cause)) throw cause;
      onUnavailable?.(cause);
      backoff.spend(Math.min(Date.now() - began, answerMs ?? ANSWER_MS));
      const pause = backoff.next(cause.retryAfterMs);
      if (pause === null) throw cause;
      await wait(pause, signal);
    } finally {
      clearTimeout(slow);
    }
  }
}

/** Resolves after a pause, or as soon as there may be capacity; rejects with the signal's reason. */
async function waitForRoom(
  askedMs: number | undefined,
  onRoom: Patience["onRoom"],
  signal: AbortSignal,
): Promise<void> {
  const pause = Math.max(CAPACITY_RETRY_MS * (1 + Math.random()), Math.min(askedMs ?? 0, CAPACITY_RETRY_MAX_MS));
  const over = new AbortController();
  const room = Promise.withResolvers<void>();
  const endListening = onRoom?.(room.resolve);
  try {
    await Promise.race([wait(pause, AbortSignal.any([signal, over.signal])), room.promise]);
  } finally {
    endListening?.();
    over.abort();
  }
}
