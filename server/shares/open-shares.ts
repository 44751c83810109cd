import type { FastifyInstance } from "fastify";
import type { Clock } from "../concurrency/clock.ts";
import type { HeavyReads } from "../concurrency/heavy-reads.ts";
import { identityOf } from "../http/session-hook.ts";
import type { OpenStreams } from "../http/streams/open-streams.ts";
import { flowOf } from "../limits/flow-of.ts";
import type { Log } from "../log.ts";
import { OpenResponses } from "./open-responses.ts";
import { type ReaderRoutesDeps, readerRoutes } from "./reader-routes.ts";
import { shareRoutes } from "./routes.ts";
import { ShareKeys } from "./share-keys.ts";
import { SharedPages, type SharedPagesDeps } from "./shared-pages.ts";
import { Shares, type SharesDeps } from "./shares.ts";
import { VisitCounter } from "./visit-counter.ts";

type KeysDeps = { secretKey: string; config: { publicUrl: string } };

const keysOf = ({ secretKey, config }: KeysDeps) => new ShareKeys({ secretKey, publicUrl: config.publicUrl });

/** Opens the snapshots for readers of links, for the routes and for the document of links. */
export function openSharedPages(deps: Omit<SharedPagesDeps, "keys"> & KeysDeps): SharedPages {
  return new SharedPages({ ...deps, keys: keysOf(deps) });
}

export type OpenSharesDeps = Omit<SharesDeps, "keys" | "config" | "files"> &
  Omit<ReaderRoutesDeps, "responses" | "visits" | "stepOf" | "config"> & {
    files: SharesDeps["files"] & ReaderRoutesDeps["files"];
    config: SharesDeps["config"] & ReaderRoutesDeps["config"] & { publicUrl: string };
    clock: Clock;
    log: Log;
    streams: OpenStreams;
    heavyReads: HeavyReads;
  };

/** Registers the routes of links to chats. */
export async function openShares(api: FastifyInstance, deps: OpenSharesDeps): Promise<Shares> {
  const { pages } = deps;
  const shares = new Shares({ ...deps, keys: keysOf(deps) });
  const responses = new OpenResponses(deps);
  const visits = new VisitCounter(deps);
  api.addHook("onClose", async () => {
    responses[Symbol.dispose]();
    await visits[Symbol.asyncDispose]();
  });
  await api.register(shareRoutes({ ...deps, shares, pages }));
  await api.register(
    readerRoutes({
      ...deps,
      ...{ responses, visits },
      stepOf: (request) => deps.heavyReads.of(flowOf(request.client, identityOf(request).userId)).step,
    }),
  );
  return shares;
}
