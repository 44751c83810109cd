import type { FastifyPluginAsync } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { paths } from "#contract/paths.ts";
import { temporaryRequestSchema } from "#contract/temporary.ts";
import { identityOf } from "../../http/session-hook.ts";
import type { OpenStreams } from "../../http/streams/open-streams.ts";
import type { Limits } from "../../limits/limits.ts";
import { begun } from "../concurrent-limit.ts";
import { START } from "../reply/backlog.ts";
import { streamReply } from "../reply/read-reply.ts";
import type { TemporaryReplies } from "./temporary-replies.ts";

export type TemporaryRoutesDeps = { temporaryReplies: TemporaryReplies; streams: OpenStreams; limits: Limits };

export function temporaryRoutes({ temporaryReplies, streams, limits }: TemporaryRoutesDeps): FastifyPluginAsync {
  const routes: FastifyPluginAsyncZod = async (app) => {
    app.post(
      paths.temporaryReply,
      {
        config: { limit: "own" },
        schema: {
          summary: "Get the reply to a conversation that is not stored",
          description:
            "Neither the messages nor the reply are stored. `data:` events as text/event-stream, like those of a chat's " +
            "reply, which ends when the client disconnects.",
          tags: ["conversation"],
          body: temporaryRequestSchema,
        },
      },
      async (request, reply) => {
        const { userId } = identityOf(request);
        const written = await limits.within(begun(userId), () => temporaryReplies.begin(userId, request.body));
        const stream = streams.open(request, reply, { isResumable: false });
        // The reply has no other readers, so it ends with its request.
        const stop = () => written.stop();
        if (stream.signal.aborted) stop();
        else stream.signal.addEventListener("abort", stop, { once: true });
        await streamReply(stream, written, START);
      },
    );
  };
  return routes;
}
