import type { FastifyInstance, FastifyRequest } from "fastify";
import type { LimitName, Limits } from "../limits/limits.ts";
import { identityOf } from "./session-hook.ts";

/** Rate limit that a route counts against. `own`: the handler counts, because the limit depends on the request. */
export type RouteLimit =
  | Extract<
      LimitName,
      "account-change" | "change" | "chat" | "message" | "preset" | "provider-check" | "search" | "stop"
    >
  | "own";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * Rate limit of requests by signed-in accounts, counted before the body is read. Writing routes count as `change`
     * by default. Routes that are open to all count in their handlers.
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
    // Counted per session, so that the thief of one session cannot use up the owner's limit for ending it.
    await limits.take(limit, limit === "account-change" ? sessionId : userId);
  });
}

function limitOf({ is404, method, routeOptions: { config } }: FastifyRequest): RouteLimit {
  if (is404 || config.role === "open") return "own";
  return config.limit ?? (READING.includes(method) ? "own" : "change");
}
