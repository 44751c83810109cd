import { setImmediate } from "node:timers/promises";
import { type NoticePart, toKnownPart } from "#contract/conversation/known-parts.ts";
import { inRuns } from "../../database/in-runs.ts";
import type { Queryable } from "../../database/schema.ts";
import type { BranchMessage } from "../branch-store.ts";
import { NOTICE, type Part, toMessagePart } from "./message-part.ts";
import { listNotices, rowsOf } from "./part-store.ts";

/** Messages whose notices are read at a time. */
const STEP_MESSAGES = 100;

/** A reply with its notices. `model`: the last that wrote it. */
export type EarlierReply = { model: string | null; notices: readonly NoticePart[] };

/** Yields the replies of a branch, the newest first. May be called again. */
export type EarlierReplies = () => AsyncIterable<EarlierReply>;

/**
 * Returns a reader of the replies of a branch. To be called outside the transaction of the branch. Yields none if the
 * database is away. What was read is cached.
 * @param branch oldest first
 */
export function earlierReplies(db: Queryable, branch: readonly BranchMessage[]): EarlierReplies {
  // Without the texts, which would stay in memory until the reply ends.
  const replies = branch
    .flatMap(({ id, role, model, rev }) => (role === "assistant" ? [{ id, model, rev }] : []))
    .reverse();
  const steps: Promise<EarlierReply[]>[] = [];
  const readStep = async (start: number): Promise<EarlierReply[]> => {
    const step = replies.slice(start, start + STEP_MESSAGES);
    const earlier: EarlierReply[] = [];
    for (const run of inRuns(step, (reply) => 1 + rowsOf(reply))) {
      const notices = await listNotices(db, run);
      earlier.push(...run.map(({ id, model }) => ({ model, notices: (notices.get(id) ?? []).flatMap(toNotice) })));
      // Yields to the event loop, because SQLite queries are synchronous.
      await setImmediate();
    }
    return earlier;
  };
  return async function* () {
    for (let start = 0; start < replies.length; start += STEP_MESSAGES) {
      steps[start / STEP_MESSAGES] ??= readStep(start).catch(() => []);
      yield* (await steps[start / STEP_MESSAGES]) ?? [];
    }
  };
}

function toNotice(part: Part): NoticePart[] {
  const known = toKnownPart(toMessagePart(part));
  return known?.kind === NOTICE ? [known] : [];
}
