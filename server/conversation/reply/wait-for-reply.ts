import type { GrowingReply } from "./live-reply.ts";

/** `let go`: the process, or following, ended before the reply. `late`: the timeout passed. */
export type Waited = "long enough" | "ended" | "let go" | "late";

/**
 * Waits until a reply has reached a state, or without one for its end, at most for `ms`.
 * @param until is called again with each change of the reply
 */
export async function waitForReply(
  reply: GrowingReply,
  { until, ms }: { until?: () => boolean; ms?: number },
): Promise<Waited> {
  if (until?.()) return "long enough";
  const waited = Promise.withResolvers<Waited>();
  const timer = ms === undefined ? undefined : setTimeout(() => waited.resolve("late"), ms);
  const check = () => (until?.() ? waited.resolve("long enough") : undefined);
  const leave = reply.subscribe(reply.text.length, {
    onWriter: () => undefined,
    onText: check,
    onPart: check,
    onThought: check,
    onSeam: () => undefined,
    onTakeBack: () => undefined,
    onEnd: () => waited.resolve("ended"),
    onBreakOff: () => waited.resolve("let go"),
  });
  const outcome = await waited.promise;
  clearTimeout(timer);
  leave();
  return outcome;
}
