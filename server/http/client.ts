import "@fastify/cookie";
import { createHash, randomBytes } from "node:crypto";
import { isIP } from "node:net";
import type { FastifyInstance, FastifyReply } from "fastify";
import { DAY, SECOND } from "#contract/limits.ts";
import { isFromBrowser } from "./anti-forgery.ts";

/** Longer than browsers keep any cookie. */
const LIFE_MS = 400 * DAY;
const COOKIE = "parley-device";
/** 16 bytes in base64url. */
const DEVICE = /^[\w-]{22}$/;
const USER_AGENT_MAX = 300;

/** Who is at the other end of a request, as far as it can be told. */
export type Client = {
  /** Empty where the connection does not tell. */
  ip: string;
  userAgent: string;
  /** Programs name neither an origin nor a site. */
  isBrowser: boolean;
  /** Hash of the secret that this browser keeps; none in a browser that has not been here, and in programs. */
  device: string | null;
};

declare module "fastify" {
  interface FastifyRequest {
    /** Once {@link rememberDevices} has run. */
    client: Client;
  }
  interface FastifyReply {
    /** Has this browser remembered from now on, and gives it its hash; programs are not. */
    rememberDevice(): Client;
  }
}

/**
 * Tells browsers apart by a random cookie that no script can read, for as long as the person keeps it. Who signed in
 * here before cannot be locked out by strangers' guesses elsewhere.
 */
export function rememberDevices(app: FastifyInstance, { publicUrl }: { publicUrl: string }): void {
  const isSecure = publicUrl.startsWith("https:");
  const name = (isSecure ? "__Host-" : "") + COOKIE;
  const options = { path: "/", sameSite: "lax", secure: isSecure, httpOnly: true, maxAge: LIFE_MS / SECOND } as const;

  app.decorateRequest("client");
  app.addHook("onRequest", async (request) => {
    const secret = request.cookies[name];
    request.client = {
      // A proxy may say anything.
      ip: isIP(request.ip) ? request.ip : "",
      userAgent: (request.headers["user-agent"] ?? "").slice(0, USER_AGENT_MAX),
      isBrowser: isFromBrowser(request),
      device: secret && DEVICE.test(secret) ? hashDevice(secret) : null,
    };
  });

  app.decorateReply("rememberDevice", function (this: FastifyReply): Client {
    const { request } = this;
    const presented = request.client.device === null ? undefined : request.cookies[name];
    if (!request.client.isBrowser) return request.client;
    const secret = presented ?? randomBytes(16).toString("base64url");
    this.setCookie(name, secret, options);
    request.client = { ...request.client, device: hashDevice(secret) };
    return request.client;
  });
}

function hashDevice(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
