import { restore, startAll } from "../arrangements/arrangement.ts";
import { wordsOf } from "../bounded.ts";
import type { Harness } from "../harness.ts";

/** A simulated user. */
export type Life = {
  /** Number of completed pieces of work. */
  readonly done: number;
  /** Works until `isOver` returns true. */
  live(isOver: () => boolean): Promise<void>;
};

/**
 * Injects faults while clients live, then starts servers that do not run, and waits for the clients. A client that ends
 * with an error is a violation at once; the others live on. If `inject` fails, the servers are restored first, because
 * one may hang and the clients would wait for it until they give up.
 * @throws what `inject` throws, after the clients have ended
 */
export async function liveThrough(
  { arrangement, report }: Pick<Harness, "arrangement" | "report">,
  lives: readonly Pick<Life, "live">[],
  inject: () => Promise<void>,
): Promise<void> {
  let isOver = false;
  const ended = lives.map((life) => life.live(() => isOver).catch((error: unknown) => report.violate(wordsOf(error))));
  try {
    await inject();
    await startAll(arrangement);
  } catch (error) {
    await restore(arrangement).catch((reason: unknown) => report.violate(wordsOf(reason)));
    throw error;
  } finally {
    isOver = true;
    await Promise.all(ended);
  }
}
