import "@fastify/cookie";
import { createHmac, randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ANTI_FORGERY_COOKIE, ANTI_FORGERY_HEADER } from "#contract/http.ts";
import { DAY, SECOND } from "#contract/limits.ts";
import type { Clock } from "../concurrency/clock.ts";
import { isLoopbackUrl } from "../config/loopback.ts";
import { isSameSecret } from "../config/secret-key.ts";
import { Failure } from "../failure.ts";

const LIFE_MS = 30 * DAY;
/** Remaining lifetime below which a token is renewed. */
const RENEWED_MS = LIFE_MS / 2;
const VISITOR_COOKIE = "parley-visitor";
/** 16 bytes in base64url. */
const VISITOR = /^[\w-]{22}$/;

declare module "fastify" {
  interface FastifyReply {
    /**
     * Sets the anti-forgery cookie, bound to the session or else to the visitor, unless the request has a valid one.
     */
    renewAntiForgery(sessionId?: string): void;
  }
}

export type AntiForgerySettings = { key: Uint8Array; publicUrl: string; clock: Clock };

/**
 * Refuses cross-site request forgery (CSRF) by a signed double-submit cookie. The token has a random part, its expiry,
 * and an HMAC over both and the session, or the visitor's id if there is no session. Our scripts read the cookie and
 * send it back as a header. Requests that no browser sent need only the bearer token.
 */
export function refuseForgery(app: FastifyInstance, { key, publicUrl, clock }: AntiForgerySettings): void {
  const isSecure = publicUrl.startsWith("https:");
  const prefix = isSecure ? "__Host-" : "";
  const cookie = { path: "/", sameSite: "lax", secure: isSecure, maxAge: LIFE_MS / SECOND } as const;
  const sign = (owner: string, content: string) =>
    createHmac("sha256", key).update(`${owner}\n${content}`).digest("base64url");

  /** Returns the Unix time in ms at which a token expires; 0 if it was not signed for this owner. */
  const expiryOf = (token: string | undefined, owner: string): number => {
    const [random, expiry, signature] = token?.split(".") ?? [];
    return signature && isSameSecret(signature, sign(owner, `${random}.${expiry}`)) ? Number(expiry) : 0;
  };

  app.decorateReply("renewAntiForgery", function (this: FastifyReply, sessionId?: string) {
    const visitor = visitorOf(this.request) ?? randomBytes(16).toString("base64url");
    const owner = sessionId ? `session ${sessionId}` : `visitor ${visitor}`;
    // Race condition: another response may set the cookie after a script has read it, but before its request is sent.
    // If each response set a new token, cookie and header would differ.
    const left = expiryOf(this.request.cookies[prefix + ANTI_FORGERY_COOKIE], owner) - clock.now();
    if (left > RENEWED_MS) return;
    const content = `${randomBytes(16).toString("base64url")}.${clock.now() + LIFE_MS}`;
    const signature = sign(owner, content);
    this.setCookie(prefix + ANTI_FORGERY_COOKIE, `${content}.${signature}`, cookie);
    if (!sessionId) this.setCookie(prefix + VISITOR_COOKIE, visitor, { ...cookie, httpOnly: true });
  });

  app.addHook("onRequest", async (request) => {
    if (request.method === "GET" || request.method === "HEAD" || !isFromBrowser(request)) return;
    if (!isOwnOrigin(request, publicUrl)) throw new Failure("csrf");
    const sent = request.headers[ANTI_FORGERY_HEADER];
    const expected = request.cookies[prefix + ANTI_FORGERY_COOKIE];
    const { identity } = request;
    const owner = identity ? `session ${identity.sessionId}` : `visitor ${visitorOf(request) ?? ""}`;
    if (typeof sent !== "string" || sent !== expected) throw new Failure("csrf");
    if (!(expiryOf(sent, owner) > clock.now())) throw new Failure("csrf");
  });

  function visitorOf(request: FastifyRequest): string | undefined {
    const visitor = request.cookies[prefix + VISITOR_COOKIE];
    return visitor && VISITOR.test(visitor) ? visitor : undefined;
  }
}

/** Whether a browser sent the request. Programs send neither `Origin` nor `Sec-Fetch-Site`. */
export function isFromBrowser({ headers }: FastifyRequest): boolean {
  return headers.origin !== undefined || headers["sec-fetch-site"] !== undefined;
}

function isOwnOrigin({ headers }: FastifyRequest, publicUrl: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  const { origin } = headers;
  if (origin === undefined || origin === new URL(publicUrl).origin) return true;
  const parsed = URL.parse(origin);
  return isLoopbackUrl(publicUrl) && parsed !== null && parsed.origin === origin && isLoopbackUrl(origin);
}
