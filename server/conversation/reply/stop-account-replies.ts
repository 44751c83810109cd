import { topics } from "../../bus/bus.ts";
import { listWritingOf } from "../message-store.ts";
import { requestStop } from "./reply-store.ts";
import type { StopDeps } from "./stop-reply.ts";
import { waitForReply } from "./wait-for-reply.ts";

const TIMEOUT_MS = 2000;

/**
 * Stops all replies of an account that is being deleted, in all processes; resolves when the replies of this process
 * have ended.
 */
export async function stopRepliesOf(
  { database, bus, replies }: Omit<StopDeps, "remoteReplies">,
  userId: string,
): Promise<void> {
  for (const { id } of await listWritingOf(database, userId)) {
    await requestStop(database, id);
    bus.publish(topics.stop(id));
  }
  const own = replies.listOf(userId);
  for (const reply of own) reply.stop();
  await Promise.all(own.map((reply) => waitForReply(reply, { ms: TIMEOUT_MS })));
}
