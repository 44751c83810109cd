import "@fastify/cookie";
import { createHmac, randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { DAY, SECOND } from "#contract/limits.ts";
import { ANTI_FORGERY_COOKIE, ANTI_FORGERY_HEADER } from "#contract/paths.ts";
import { isLoopback } from "../config.ts";
import { Failure } from "../failure.ts";
import type { Clock } from "../ground.ts";
import { isSameSecret } from "../is-same-secret.ts";

const LIFE_MS = 30 * DAY;
const VISITOR_COOKIE = "parley-visitor";
/** 16 bytes in base64url. */
const VISITOR = /^[\w-]{22}$/;

declare module "fastify" {
  interface FastifyReply {
    /** Sets the anti-forgery cookie anew, bound to a session or else to this visitor. */
    renewAntiForgery(sessionId?: string): void;
  }
}

export type AntiForgerySettings = { key: Uint8Array; publicUrl: string; clock: Clock };

/**
 * Refuses changes that another site makes a browser ask for. A signed double-submit token: HMAC over the session, or
 * over a visitor's id where there is none, and a random part; readable by our scripts, sent back as a header. Requests
 * that no browser sent need the bearer token only.
 */
export function refuseForgery(app: FastifyInstance, { key, publicUrl, clock }: AntiForgerySettings): void {
  const isSecure = publicUrl.startsWith("https:");
  const prefix = isSecure ? "__Host-" : "";
  const cookie = { path: "/", sameSite: "lax", secure: isSecure, maxAge: LIFE_MS / SECOND } as const;
  const sign = (owner: string, content: string) =>
    createHmac("sha256", key).update(`${owner}\n${content}`).digest("base64url");

  app.decorateReply("renewAntiForgery", function (this: FastifyReply, sessionId?: string) {
    const visitor = visitorOf(this.request) ?? randomBytes(16).toString("base64url");
    const content = `${randomBytes(16).toString("base64url")}.${clock.now() + LIFE_MS}`;
    const signature = sign(sessionId ? `session ${sessionId}` : `visitor ${visitor}`, content);
    this.setCookie(prefix + ANTI_FORGERY_COOKIE, `${content}.${signature}`, cookie);
    if (!sessionId) this.setCookie(prefix + VISITOR_COOKIE, visitor, { ...cookie, httpOnly: true });
  });

  app.addHook("onRequest", async (request) => {
    if (request.method === "GET" || request.method === "HEAD" || !isFromBrowser(request)) return;
    if (!isOwnOrigin(request, publicUrl)) throw new Failure("csrf");
    const sent = request.headers[ANTI_FORGERY_HEADER];
    const kept = request.cookies[prefix + ANTI_FORGERY_COOKIE];
    const { identity } = request;
    const owner = identity ? `session ${identity.sessionId}` : `visitor ${visitorOf(request) ?? ""}`;
    const [random, expiry, signature] = typeof sent === "string" ? sent.split(".") : [];
    if (!signature || sent !== kept || !(Number(expiry) > clock.now())) throw new Failure("csrf");
    if (!isSameSecret(signature, sign(owner, `${random}.${expiry}`))) throw new Failure("csrf");
  });

  function visitorOf(request: FastifyRequest): string | undefined {
    const visitor = request.cookies[prefix + VISITOR_COOKIE];
    return visitor && VISITOR.test(visitor) ? visitor : undefined;
  }
}

/** Whether a browser made the request: programs name neither an origin nor a site. */
export function isFromBrowser({ headers }: FastifyRequest): boolean {
  return headers.origin !== undefined || headers["sec-fetch-site"] !== undefined;
}

function isOwnOrigin({ headers }: FastifyRequest, publicUrl: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  const { origin } = headers;
  if (origin === undefined || origin === new URL(publicUrl).origin) return true;
  const parsed = URL.parse(origin);
  return isLoopback(publicUrl) && parsed !== null && parsed.origin === origin && isLoopback(origin);
}
