import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/**
 * End of a response. `isStream`: an event stream; `ms`: since the request arrived; `status`: undefined if nothing was
 * sent.
 */
export type Answered = { status: number | undefined; isStream: boolean; ms: number };

/** Calls a listener at the end of every response, including streams that the client closes. */
export function onAnswered(
  app: FastifyInstance,
  onAnswer: (request: FastifyRequest, answered: Answered) => void,
): void {
  app.addHook("onRequest", (request, reply, done) => {
    const begunAt = performance.now();
    reply.raw.once("close", () => onAnswer(request, { ...answerOf(reply), ms: performance.now() - begunAt }));
    done();
  });
}

function answerOf({ raw }: FastifyReply): Omit<Answered, "ms"> {
  return {
    status: raw.headersSent ? raw.statusCode : undefined,
    isStream: String(raw.getHeader("content-type")).startsWith("text/event-stream"),
  };
}
