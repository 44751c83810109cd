import type { FastifyInstance } from "fastify";
import type { Clock } from "../concurrency/clock.ts";
import type { HeavyReads } from "../concurrency/heavy-reads.ts";
import { KeyedSemaphore } from "../concurrency/keyed-semaphore.ts";
import { identityOf } from "../http/session-hook.ts";
import type { OpenStreams } from "../http/streams/open-streams.ts";
import { flowOf } from "../limits/flow-of.ts";
import type { Log } from "../log.ts";
import { RENDER_LIMITS } from "../transfer/html/export-html.ts";
import { OpenResponses } from "./open-responses.ts";
import { type ReaderRoutesDeps, readerRoutes } from "./reader-routes.ts";
import { shareRoutes } from "./routes.ts";
import { ShareKeys } from "./share-keys.ts";
import { SharedPages } from "./shared-pages.ts";
import { Shares, type SharesDeps } from "./shares.ts";
import { VisitCounter } from "./visit-counter.ts";

export type OpenSharesDeps = Omit<SharesDeps, "keys" | "rendering" | "config" | "files"> &
  Omit<ReaderRoutesDeps, "pages" | "responses" | "visits" | "stepOf" | "config"> & {
    files: SharesDeps["files"] & ReaderRoutesDeps["files"];
    config: SharesDeps["config"] & ReaderRoutesDeps["config"] & { publicUrl: string };
    clock: Clock;
    log: Log;
    streams: OpenStreams;
    heavyReads: HeavyReads;
  };

/** Registers the routes of links to chats. @returns the links, and their pages for the document of readers */
export async function openShares(
  api: FastifyInstance,
  deps: OpenSharesDeps,
): Promise<{ shares: Shares; pages: SharedPages }> {
  const keys = new ShareKeys({ secretKey: deps.secretKey, publicUrl: deps.config.publicUrl });
  const shares = new Shares({ ...deps, keys, rendering: new KeyedSemaphore(RENDER_LIMITS) });
  const pages = new SharedPages({ ...deps, keys });
  const responses = new OpenResponses({ ...deps, pages });
  const visits = new VisitCounter(deps);
  api.addHook("onClose", async () => {
    responses[Symbol.dispose]();
    await visits[Symbol.asyncDispose]();
  });
  await api.register(shareRoutes({ ...deps, shares, pages }));
  await api.register(
    readerRoutes({
      ...deps,
      ...{ pages, responses, visits },
      stepOf: (request) => deps.heavyReads.of(flowOf(request.client, identityOf(request).userId)).step,
    }),
  );
  return { shares, pages };
}
