import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";
import { API_BASE } from "#contract/paths.ts";

export type HeaderSettings = { publicUrl: string; hasGoogle: boolean };

const GOOGLE = "https://accounts.google.com/gsi/";
const HSTS_SECONDS = 31_536_000;
const COOP = "same-origin-allow-popups";
const CORP = "same-origin";

/** What every answer tells the browser to refuse. The policy is the same for all documents but those that state their own. */
export async function setSecurityHeaders(app: FastifyInstance, settings: HeaderSettings): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: contentPolicy(settings) },
    crossOriginOpenerPolicy: { policy: COOP },
    crossOriginResourcePolicy: { policy: CORP },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: settings.hasGoogle ? "strict-origin" : "no-referrer" },
    strictTransportSecurity: settings.publicUrl.startsWith("https:") && { maxAge: HSTS_SECONDS },
    xFrameOptions: { action: "deny" },
  });
  app.addHook("onRequest", async (request, reply) => {
    if (!request.url.startsWith(API_BASE)) return;
    reply.header("cache-control", "no-store").header("referrer-policy", "no-referrer");
  });
}

/** For answers that come about before any hook: they hold no document, so nothing is allowed. */
export function headersWithoutHooks({ publicUrl }: HeaderSettings): Record<string, string> {
  return {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": COOP,
    "cross-origin-resource-policy": CORP,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    ...(publicUrl.startsWith("https:") && { "strict-transport-security": `max-age=${HSTS_SECONDS}` }),
  };
}

/**
 * For the page that draws diagrams within ours, and its files. It has no origin, so that each of its files is one from
 * elsewhere to it; whatever a diagram made it do, it can neither call anybody nor reach what is ours.
 */
export const frameHeaders: Record<string, string> = {
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "sandbox allow-scripts",
  ].join(";"),
  // Chromium would note each time that it cannot do both.
  "origin-agent-cluster": "?0",
  "x-frame-options": "SAMEORIGIN",
};

function contentPolicy({ hasGoogle }: HeaderSettings): Record<string, string[]> {
  const google = (path = "") => (hasGoogle ? [GOOGLE + path] : []);
  return {
    "default-src": ["'none'"],
    "script-src": ["'self'", ...google("client")],
    "style-src": ["'self'", ...google("style")],
    "img-src": ["'self'", "data:", "blob:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'", ...google()],
    "frame-src": ["'self'", ...google()],
    "manifest-src": ["'self'"],
    "worker-src": ["'self'"],
    "frame-ancestors": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "object-src": ["'none'"],
    "require-trusted-types-for": ["'script'"],
  };
}
