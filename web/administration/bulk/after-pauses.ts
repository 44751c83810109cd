import { MINUTE, SECOND } from "#contract/limits.ts";
import { waitOf } from "../../api/problem-text.ts";
import { wait } from "../../api/wait.ts";

/** Longer waits are shown as a failure. */
const LONGEST_MS = 10 * MINUTE;

type Pauses = {
  signal: AbortSignal;
  /** Called with the refusal that asks for a pause, and with null after the pause. */
  onPause: (refusal: unknown) => void;
};

/** Makes a request, and repeats it after each refusal with 429, once the wait that the server asks for is over. */
export async function afterPauses<T>(request: () => Promise<T>, { signal, onPause }: Pauses): Promise<T> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      const waitMs = waitOf(error);
      if (waitMs === null || waitMs > LONGEST_MS) throw error;
      onPause(error);
      await wait(Math.max(waitMs, SECOND), signal);
      onPause(null);
    }
  }
}
