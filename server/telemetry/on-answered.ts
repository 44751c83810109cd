import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** How an answer ended. `isStream`: of events; `ms`: since its request came; `status`: none where nothing was answered. */
export type Answered = { status: number | undefined; isStream: boolean; ms: number };

/** Told at the end of every answer, however it ended: also of streams, whose readers leave at some time. */
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
