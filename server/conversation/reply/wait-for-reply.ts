import type { GrowingReply } from "./live-reply.ts";

/** `let go`: the process, or following, ended before the reply. `late`: the timeout passed. */
export type Waited = "long enough" | "ended" | "let go" | "late";

/**
 * Waits until a reply has a length (UTF-16 units), or without one for its end, at most for `ms`.
 */
export async function waitForReply(
  reply: GrowingReply,
  { length = Number.POSITIVE_INFINITY, ms }: { length?: number; ms?: number },
): Promise<Waited> {
  if (reply.text.length >= length) return "long enough";
  const waited = Promise.withResolvers<Waited>();
  const timer = ms === undefined ? undefined : setTimeout(() => waited.resolve("late"), ms);
  const leave = reply.subscribe(reply.text.length, {
    onText: (_text, at) => (at >= length ? waited.resolve("long enough") : undefined),
    onSeam: () => undefined,
    onEnd: () => waited.resolve("ended"),
    onBreakOff: () => waited.resolve("let go"),
  });
  const outcome = await waited.promise;
  clearTimeout(timer);
  leave();
  return outcome;
}
