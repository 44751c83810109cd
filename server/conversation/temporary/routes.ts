import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { type TemporaryRequest, temporaryRequestSchema } from "#contract/conversation/temporary.ts";
import type { Clock } from "../../concurrency/clock.ts";
import { Failure } from "../../failure.ts";
import type { AttachmentReader } from "../../files/attachment-reader.ts";
import { identityOf } from "../../http/session-hook.ts";
import type { OpenStreams } from "../../http/streams/open-streams.ts";
import { jsonParser } from "../../http/validation.ts";
import { flowOf } from "../../limits/flow-of.ts";
import type { Limits } from "../../limits/limits.ts";
import { askerOf } from "../admission/asker.ts";
import { begun } from "../admission/concurrent-limit.ts";
import { START } from "../reply/backlog.ts";
import type { GrowingReply } from "../reply/live-reply.ts";
import { streamReply } from "../reply/read-reply.ts";
import { FramedBody } from "./framed-body.ts";
import { RequestSlots } from "./request-slots.ts";
import { NO_FILES, receiveFiles, refuseFiles, type TemporaryFilesSettings } from "./temporary-files.ts";
import type { TemporaryReplies } from "./temporary-replies.ts";

export type TemporaryRoutesDeps = {
  temporaryReplies: TemporaryReplies;
  attachmentReader: AttachmentReader;
  streams: OpenStreams;
  limits: Limits;
  clock: Clock;
  settings: TemporaryFilesSettings;
};

/** Media type of a request with files. Forms of other websites cannot send it. */
const FRAMED = "application/octet-stream";

export function temporaryRoutes(deps: TemporaryRoutesDeps): FastifyPluginAsync {
  const { streams, limits, clock } = deps;
  const slots = new RequestSlots(limits, clock);
  /** Bodies with files, of which the JSON was read. */
  const framed = new WeakMap<FastifyRequest, FramedBody>();
  const routes: FastifyPluginAsyncZod = async (app) => {
    const parseJson = jsonParser(app);
    app.addContentTypeParser(FRAMED, (request, payload, done) => {
      const body = new FramedBody(payload);
      framed.set(request, body);
      body.readHead().then((head) => parseJson(request, head, done), done);
    });
    app.post(
      conversationPaths.temporaryReply,
      {
        config: { limit: "own" },
        // Before the body is read, because it may be large.
        onRequest: async (request, reply) => {
          if (!isFramed(request)) return;
          // Node discards the rest of a refused body only if nothing of it was read. The client would wait to send it.
          reply.raw.once("finish", () => request.raw.resume());
          await slots.take(request, reply);
        },
        schema: {
          summary: "Get the reply to a conversation that is not stored",
          description:
            "Neither the messages, nor their files, nor the reply are stored. `data:` events as text/event-stream, like " +
            "those of a chat's reply, which ends when the client disconnects. With `files` the body is " +
            `\`${FRAMED}\`: the length of the JSON in bytes (four bytes, big-endian), the JSON, and the bytes of the ` +
            "files in the order in which the messages name them, 20 MB in all. An account has one such reply at a time. " +
            "A problem document with `file` is about that file.",
          tags: ["conversation"],
          body: temporaryRequestSchema,
        },
      },
      async (request, reply) => {
        const release = slots.hold(request);
        let written: GrowingReply | undefined;
        try {
          const { userId } = identityOf(request);
          written = await limits.within(begun(userId), () => begin(deps, request, reply, framed.get(request)));
        } finally {
          // The bytes of the files are in memory until the reply ends.
          if (written) void written.ended.finally(release);
          else release();
        }
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

const isFramed = ({ headers }: FastifyRequest) => headers["content-type"]?.split(";")[0]?.trim() === FRAMED;

/** Reads the files of a request, if it has some, and starts the reply. */
async function begin(
  { temporaryReplies, attachmentReader: reader, settings }: TemporaryRoutesDeps,
  request: FastifyRequest<{ Body: TemporaryRequest }>,
  reply: FastifyReply,
  framedBody: FramedBody | undefined,
): Promise<GrowingReply> {
  const asker = askerOf(request);
  const { body } = request;
  refuseFiles(body, settings);
  if (!framedBody) {
    if (body.messages.some(({ files = [] }) => files.length > 0)) throw new Failure("invalid-input");
    return temporaryReplies.begin(asker, body, NO_FILES);
  }
  await temporaryReplies.check(asker, body);
  const signal = signalOf(reply);
  const flow = flowOf(request.client, asker.userId);
  const files = await receiveFiles(framedBody, body, { reader, flow, signal });
  return temporaryReplies.begin(asker, body, files);
}

/** Returns a signal that is aborted when the client disconnects. */
function signalOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  // A code of the client's: there is nobody to answer, and nothing to log.
  const leave = () => gone.abort(new Failure("invalid-input"));
  raw.once("close", leave);
  if (raw.destroyed) leave();
  return gone.signal;
}
