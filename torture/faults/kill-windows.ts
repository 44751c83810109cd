import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "../../testing/app/random.ts";
import { persist } from "../bounded.ts";
import type { Life } from "../clients/live-through.ts";
import type { Harness } from "../harness.ts";
import { Turn } from "../ledger/turn.ts";

/** Kills after which every client completes a piece of work before the next one. */
const IN_A_ROW = 3;
/** A reply of the mean length of those that people ask for. */
const MEAN_REPLY = { pieces: 200, paceMs: 4, thoughts: 3 };

type Work = {
  random: Random;
  /** Time of one piece of work without kills, in ms, measured on this machine in this run. */
  paceMs: number;
  lives: readonly Pick<Life, "done">[];
};

/**
 * The times between kills, in the pace of the machine. Each is shorter than one piece of work, so that kills hit every
 * phase of it. After some kills the next one waits until every client has completed work: on a slow machine a series
 * without end would leave no time for any.
 */
export class KillWindows {
  readonly #work: Work;
  #count = 0;

  constructor(work: Work) {
    this.#work = work;
  }

  /** Waits until the next kill. @throws GaveUp if a client completes nothing although nothing is killed */
  async next(): Promise<void> {
    const { random, paceMs } = this.#work;
    if (this.#count > 0 && this.#count % IN_A_ROW === 0) await this.#progress();
    this.#count++;
    await delay(random.between(0, Math.ceil(paceMs)));
  }

  async #progress(): Promise<void> {
    const { lives } = this.#work;
    const before = lives.map(({ done }) => done);
    const hasProgress = () => lives.every(({ done }, at) => done > (before[at] ?? 0));
    await persist(`after ${this.#count} kills a client completed nothing although the servers ran`, hasProgress);
  }
}

/** Runs work that nothing disturbs. @returns the time that it took, in ms */
export async function paceOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Measures a reply of mean length. @returns the time from the send to its end, in ms */
export function paceOfReply({ client, provider }: Pick<Harness, "client" | "provider">): Promise<number> {
  return paceOf(async () => {
    const { id } = await client.createChat();
    await client.send(new Turn(id, provider.ask(MEAN_REPLY)));
  });
}
