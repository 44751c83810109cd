import { SECOND } from "#contract/limits.ts";
import { ApiError, readApiError } from "./api-error.ts";
import { Backoff } from "./backoff.ts";
import { verdict } from "./verdict.ts";
import { wait } from "./wait.ts";

/** A server that is there says something within this time; a connection that does not is a dead one. */
const ANSWER_MS = 20 * SECOND;
/** After this time somebody who waits is told what for. */
const SLOW_MS = 4 * SECOND;
/** Where other replies must end first, it is asked again after as long as this and up to twice as long. */
const CROWDED_MS = SECOND;
/** However long the server asks to wait until then: room that is there must not stay unused. */
const CROWDED_LONGEST_MS = 8 * SECOND;

export type Patience = {
  signal: AbortSignal;
  /** The server is not there now, or says nothing: called at least once where more than one try is needed. */
  onAway?: () => void;
  /** The server has no room for it before something else has ended: called after each try that was told so. */
  onCrowded?: () => void;
  /** Calls `listener` whenever there may be room now; gives the way to end that. */
  onRoom?: (listener: () => void) => () => void;
};

/** No answer of our server came, or it says that it is about to go or has no database. */
export function isAway(cause: unknown): cause is ApiError {
  return cause instanceof ApiError && verdict(cause) === "away";
}

/** Our server would take it, but not before something else has ended. */
function isCrowded(cause: unknown): cause is ApiError {
  return cause instanceof ApiError && verdict(cause) === "crowded";
}

/** An answer after which {@link keepTrying} asks again, as the {@link ApiError} that it knows; any other as it is. */
export async function refusePassing(response: Response): Promise<Response> {
  if (response.status < 500 && response.status !== 429) return response;
  const error = await readApiError(response.clone());
  if (!isAway(error) && !isCrowded(error)) return response;
  await response.body?.cancel();
  throw error;
}

/** Asks once. Rejects with an {@link ApiError} of status 0 where nothing comes within 20 s. */
export async function askOnce<T>(ask: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const trying = new AbortController();
  const ended = Promise.withResolvers<never>();
  trying.signal.addEventListener("abort", () => ended.reject(trying.signal.reason));
  const timeout = new ApiError(0, "No answer", { code: "unreachable" });
  const timer = setTimeout(() => trying.abort(timeout), ANSWER_MS);
  const leave = () => trying.abort(signal.reason);
  signal.addEventListener("abort", leave);
  try {
    // What the answer still has to say ends with the signal too, so then the listener stays.
    return await Promise.race([ask(trying.signal), ended.promise]);
  } catch (cause) {
    signal.removeEventListener("abort", leave);
    throw cause;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Asks again and again until there is an answer; `ask` must be the same request each time. Rejects with what `ask`
 * rejects with where that is not {@link isAway}, with the last such failure after two minutes of tries (time without a
 * network does not count), and with the signal's reason. For room it waits as long as that takes.
 */
export async function keepTrying<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  { signal, onAway, onCrowded, onRoom }: Patience,
): Promise<T> {
  const backoff = new Backoff();
  for (;;) {
    const slow = setTimeout(() => onAway?.(), SLOW_MS);
    const began = Date.now();
    try {
      return await askOnce(ask, signal);
    } catch (cause) {
      signal.throwIfAborted();
      clearTimeout(slow);
      if (isCrowded(cause)) {
        // The server is there: when it goes, that is a new failure.
        backoff.reset();
        onCrowded?.();
        await waitForRoom(cause.retryAfterMs, onRoom, signal);
        continue;
      }
      if (!isAway(cause)) throw cause;
      onAway?.();
      backoff.spend(Math.min(Date.now() - began, ANSWER_MS));
      const pause = backoff.next(cause.retryAfterMs);
      if (pause === null) throw cause;
      await wait(pause, signal);
    } finally {
      clearTimeout(slow);
    }
  }
}

/** Resolves after a pause, or as soon as there may be room; rejects with the signal's reason. */
async function waitForRoom(
  askedMs: number | undefined,
  onRoom: Patience["onRoom"],
  signal: AbortSignal,
): Promise<void> {
  const pause = Math.max(CROWDED_MS * (1 + Math.random()), Math.min(askedMs ?? 0, CROWDED_LONGEST_MS));
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
