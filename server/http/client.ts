import "@fastify/cookie";
import { createHash, randomBytes } from "node:crypto";
import { isIP } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { DAY, SECOND } from "#contract/limits.ts";
import { isInNetworks } from "../limits/networks.ts";
import { isFromBrowser } from "./anti-forgery.ts";
import { isLocal, showsProxy } from "./local-request.ts";

/** Lifetime of the cookie. No browser retains a cookie for longer. */
const LIFE_MS = 400 * DAY;
const COOKIE = "parley-device";
/** 16 bytes in base64url. */
const DEVICE = /^[\w-]{22}$/;
const USER_AGENT_MAX = 300;

/** Sender of a request, as far as it can be determined. */
export type Client = {
  /** Empty if no valid address is known. */
  ip: string;
  userAgent: string;
  /** False for programs, which send neither `Origin` nor `Sec-Fetch-Site`. */
  isBrowser: boolean;
  /** Hash of the secret in the browser's device cookie; null for new browsers and for programs. */
  device: string | null;
  /**
   * Whether a program of this machine sent the request to this machine's name, and no header shows a proxy. Used only to
   * permit more: a proxy that hides itself cannot be excluded.
   */
  isLocal: boolean;
  /** Whether the address is in one of the operator's trusted networks, and not that of a proxy. */
  isTrusted: boolean;
};

declare module "fastify" {
  interface FastifyRequest {
    /** Set by the hook of {@link rememberDevices}. */
    client: Client;
  }
  interface FastifyReply {
    /** Sets or renews the device cookie, and returns the client with its hash. Programs get no cookie. */
    rememberDevice(): Client;
  }
}

/**
 * Identifies browsers by a random cookie that scripts cannot read (`HttpOnly`), until the person deletes it. Failed
 * sign-ins from other devices then cannot lock out a person who has signed in from this browser before.
 */
export function rememberDevices(
  app: FastifyInstance,
  { publicUrl, trustedNetworks }: { publicUrl: string; trustedNetworks: () => readonly string[] },
): void {
  const isSecure = publicUrl.startsWith("https:");
  const name = (isSecure ? "__Host-" : "") + COOKIE;
  const options = { path: "/", sameSite: "lax", secure: isSecure, httpOnly: true, maxAge: LIFE_MS / SECOND } as const;

  app.decorateRequest("client");
  app.addHook("onRequest", async (request) => {
    const secret = request.cookies[name];
    request.client = {
      // A proxy may send any text as the address.
      ip: isIP(request.ip) ? request.ip : "",
      userAgent: (request.headers["user-agent"] ?? "").slice(0, USER_AGENT_MAX),
      isBrowser: isFromBrowser(request),
      device: secret && DEVICE.test(secret) ? hashDevice(secret) : null,
      isLocal: isLocal(request),
      isTrusted: isInNetworks(request.ip, trustedNetworks()) && !isOfUnknownProxy(request),
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

/**
 * A proxy that `TRUST_PROXY` does not name hides its clients: its own address says nothing about theirs. It shows by its
 * headers, or by more forwarded addresses than trusted proxies have added.
 */
function isOfUnknownProxy(request: FastifyRequest): boolean {
  if (request.ip === request.raw.socket.remoteAddress && showsProxy(request)) return true;
  const forwarded = [request.headers["x-forwarded-for"] ?? []].flat().join(",");
  return forwarded !== "" && forwarded.split(",").length > (request.ips?.length ?? 1) - 1;
}

function hashDevice(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
