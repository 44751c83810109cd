import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { sharePaths } from "#contract/shares/paths.ts";
import {
  sharedCopySchema,
  sharedFileParamsSchema,
  sharedFileQuerySchema,
  sharedParamsSchema,
} from "#contract/shares/shares.ts";
import { KeyedSemaphore, type SemaphoreLimits } from "../concurrency/keyed-semaphore.ts";
import { sendFileBytes } from "../files/send-file-bytes.ts";
import { identityOf } from "../http/session-hook.ts";
import type { RouteApp } from "../http/validation.ts";
import { flowOf } from "../limits/flow-of.ts";
import type { Limits } from "../limits/limits.ts";
import { type CopyDeps, copySharedChat } from "./copy-shared-chat.ts";
import type { OpenResponses } from "./open-responses.ts";
import type { ShareReader } from "./share-rules.ts";
import type { OpenableShare } from "./share-store.ts";
import type { SharedPages } from "./shared-pages.ts";
import type { VisitCounter } from "./visit-counter.ts";

const tags = ["shares"];
const open = { role: "open", isSecretPath: true } as const;

export type ReaderRoutesDeps = Omit<CopyDeps, "step"> & {
  pages: SharedPages;
  responses: OpenResponses;
  visits: VisitCounter;
  limits: Limits;
  stepOf(request: FastifyRequest): CopyDeps["step"];
};

/** Snapshots for readers of their links, with or without an account. Every refusal is the same "not found". */
export function readerRoutes(deps: ReaderRoutesDeps): FastifyPluginAsync {
  const routes: FastifyPluginAsyncZod = async (app) => {
    contentRoutes(app, deps);
    copyRoute(app, deps);
  };
  return routes;
}

const readerOf = ({ identity }: FastifyRequest): ShareReader =>
  identity && { userId: identity.userId, groupId: identity.groupId };

function contentRoutes(app: RouteApp, deps: ReaderRoutesDeps): void {
  const { pages, limits, visits } = deps;
  app.get(
    sharePaths.sharedPage(":token"),
    {
      config: open,
      schema: {
        summary: "Get the snapshot of a link",
        description: "Links for people with an account need the bearer token of one.",
        tags,
        params: sharedParamsSchema,
      },
    },
    async (request, reply) => {
      await limits.takeOfNetwork("share-view", request.client);
      const reader = readerOf(request);
      const { share, answer } = await pages.read(request.params.token, reader);
      if (request.method === "GET" && reader?.userId !== share.user_id) visits.count(share.id);
      watch(deps, { request, reply, share });
      return reply.type("application/json; charset=utf-8").send(answer);
    },
  );
  app.get(
    sharePaths.sharedFile(":token", ":position"),
    {
      config: open,
      schema: {
        summary: "Download a file of a link",
        description:
          "`snapshot`: `createdAt` of the page that names the file. Answers 404 once the link has another page.",
        tags,
        params: sharedFileParamsSchema,
        querystring: sharedFileQuerySchema,
      },
    },
    async (request, reply) => {
      await limits.takeOfNetwork("share-file", request.client);
      const share = await pages.open(request.params.token, readerOf(request));
      const { position } = request.params;
      const { file, bytes } = await pages.fileOf(share, position, request.query.snapshot);
      watch(deps, { request, reply, share });
      return sendFileBytes(reply, file, bytes);
    },
  );
}

type Watched = { request: FastifyRequest; reply: FastifyReply; share: OpenableShare };

/** Ends a response when its link is revoked while it is sent. */
function watch({ responses }: ReaderRoutesDeps, { request, reply, share }: Watched): void {
  const connection = reply.raw;
  // The client has disconnected: the event that ends the watch does not come any more.
  if (connection.closed) return;
  const close = () => void connection.destroy();
  const remove = responses.add({ shareId: share.id, reader: readerOf(request), close });
  connection.once("close", remove);
}

/** A copy holds up to ten megabytes in memory. */
const COPY_LIMITS: SemaphoreLimits = {
  atOnce: 4,
  maxWaiting: 50,
  perAccount: { atOnce: 1, maxWaiting: 0, retryAfterSeconds: 2 },
};

function copyRoute(app: RouteApp, deps: ReaderRoutesDeps): void {
  const copying = new KeyedSemaphore(COPY_LIMITS);
  app.post(
    sharePaths.sharedCopy(":token"),
    {
      config: { limit: "own", isSecretPath: true },
      schema: {
        summary: "Copy the snapshot of a link into one's account, as a chat",
        description: "The same snapshot is copied once: a repeated request gets the same chat.",
        tags,
        params: sharedParamsSchema,
        response: { 200: sharedCopySchema },
      },
    },
    async (request) => {
      const { userId } = identityOf(request);
      await deps.limits.take("import", userId);
      const share = await deps.pages.open(request.params.token, readerOf(request));
      const step = deps.stepOf(request);
      const copy = () => copySharedChat({ ...deps, step }, userId, share);
      return { id: await copying.run(flowOf(request.client, userId), copy) };
    },
  );
}
