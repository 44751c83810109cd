import type { GrowingReply } from "./live-reply.ts";

/** `let go`: its process, or the following of it, ended before the reply did. `late`: nothing of this within the time. */
export type Waited = "long enough" | "ended" | "let go" | "late";

/**
 * Waits as a reader of a reply does: until it has so much text (UTF-16 units; else its end), or at the latest for `ms`.
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
