import type { FastifyReply } from "fastify";

/** Returns a signal that is aborted when the client leaves before its answer. */
export function leavingOf({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController();
  raw.once("close", () => leaving.abort());
  return leaving.signal;
}
