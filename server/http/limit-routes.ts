import type { FastifyInstance, FastifyRequest } from "fastify";
import type { LimitName, Limits } from "../limits/limits.ts";
import { identityOf } from "./session-hook.ts";

/** A limit that a route counts against; `own`: its handler counts, as what counts depends on the request. */
export type RouteLimit =
  | Extract<LimitName, "account-change" | "change" | "chat" | "message" | "preset" | "search" | "stop">
  | "own";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * What a request of a signed-in account counts against, before its body is read. Writing routes that name nothing
     * count as `change`. Routes that are open to all count in their handlers.
     */
    limit?: RouteLimit;
  }
}

const READING = ["GET", "HEAD", "OPTIONS"];

/** Refuses requests of signed-in accounts beyond the limits of their routes. @throws Failure `too-many-requests` */
export function limitRoutes(app: FastifyInstance, limits: Limits): void {
  app.addHook("onRequest", async (request) => {
    const limit = limitOf(request);
    if (limit === "own") return;
    const { userId, sessionId } = identityOf(request);
    // By session: a thief of one must not keep the owner from ending it.
    await limits.take(limit, limit === "account-change" ? sessionId : userId);
  });
}

function limitOf({ is404, method, routeOptions: { config } }: FastifyRequest): RouteLimit {
  if (is404 || config.access === "open") return "own";
  return config.limit ?? (READING.includes(method) ? "own" : "change");
}
