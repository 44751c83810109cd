import { setTimeout } from "node:timers/promises";
import { SECOND } from "#contract/limits.ts";
import { AbortScope } from "../concurrency/abort-scope.ts";
import { isDatabaseAway } from "./violations.ts";

const FIRST_WAIT_MS = 0.1 * SECOND;
const MAX_WAIT_MS = 5 * SECOND;

/**
 * `signals`: end the repetitions. `isPassing`: whether a failure may pass, by default that of a database which is away.
 * `onWait`: called with the first failure.
 */
type Repetitions = {
  signals: readonly AbortSignal[];
  isPassing?: (error: unknown) => boolean;
  onWait: (error: unknown) => void;
};

/**
 * Repeats work while the database is away, with growing waits.
 * @param work must not change anything if it is repeated after a commit whose confirmation was lost
 * @throws another failure of the work, and the last one when a signal ends the repetitions
 */
export async function untilAvailable<T>(
  work: () => Promise<T>,
  { signals, isPassing = isDatabaseAway, onWait }: Repetitions,
): Promise<T> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (waitMs === FIRST_WAIT_MS) onWait(error);
      if (signals.some(({ aborted }) => aborted)) throw error;
      using scope = new AbortScope({ parents: signals });
      await setTimeout(waitMs, undefined, { signal: scope.signal }).catch(() => undefined);
    }
  }
}
