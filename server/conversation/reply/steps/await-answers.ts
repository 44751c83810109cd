import type { FormAnswers } from "#contract/conversation/tool-forms.ts";
import { SECOND } from "#contract/limits.ts";
import { type Bus, topics } from "../../../bus/bus.ts";
import type { Database } from "../../../database/schema.ts";
import { listResumptions } from "./tool-resumption-store.ts";

/** Interval in which the answers are read without a notification. */
const POLL_MS = 2 * SECOND;

/**
 * Resolves with the answers that a person gives to a question of a running call, on whatever process they arrive.
 * @returns null: the person refuses
 * @throws the signal's reason
 */
export async function awaitAnswers(
  { database, bus }: { database: Database; bus: Bus },
  { id, seq, question }: { id: string; seq: number; question: string },
  signal: AbortSignal,
): Promise<FormAnswers | null> {
  const { promise, resolve, reject } = Promise.withResolvers<FormAnswers | null>();
  // The signal may abort while the answers are first read.
  promise.catch(() => undefined);
  const read = async () => {
    // A database that is away is read again at the next poll.
    const stored = (await listResumptions(database, id).catch(() => undefined))?.get(seq);
    if (stored?.question === question && stored.answers !== undefined) resolve(stored.answers);
  };
  const onAbort = () => reject(signal.reason);
  const leave = bus.subscribe(topics.answers(id), () => void read());
  const timer = setInterval(() => void read(), POLL_MS).unref();
  signal.addEventListener("abort", onAbort);
  try {
    signal.throwIfAborted();
    await read();
    return await promise;
  } finally {
    signal.removeEventListener("abort", onAbort);
    clearInterval(timer);
    leave();
  }
}
