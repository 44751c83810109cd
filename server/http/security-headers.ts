import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";
import { API_BASE } from "#contract/paths.ts";

export type HeaderSettings = { publicUrl: string; hasGoogle: boolean };

const GOOGLE = "https://accounts.google.com/gsi/";
const HSTS_SECONDS = 31_536_000;
const CORP = "same-origin";

/**
 * Features of the browser that no document of ours uses; each is denied to all documents and frames. Not listed:
 * `web-share`, about which Chromium without that feature warns on the console.
 */
const unusedFeatures = [
  "accelerometer",
  "autoplay",
  "camera",
  "clipboard-read",
  "display-capture",
  "encrypted-media",
  "fullscreen",
  "gamepad",
  "geolocation",
  "gyroscope",
  "hid",
  "idle-detection",
  "local-fonts",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "picture-in-picture",
  "publickey-credentials-create",
  "publickey-credentials-get",
  "screen-wake-lock",
  "serial",
  "sync-xhr",
  "usb",
  "window-management",
  "xr-spatial-tracking",
] as const;
const PERMISSIONS = unusedFeatures.map((feature) => `${feature}=()`).join(", ");

/** Google's sign-in opens a window that answers its opener; without Google no other site needs a handle on ours. */
const openerPolicyOf = ({ hasGoogle }: HeaderSettings) => (hasGoogle ? "same-origin-allow-popups" : "same-origin");

/** For every answer of the API and every problem document: neither may be cached, and no address goes along. */
export const apiHeaders = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

/** What every answer tells the browser to refuse. The policy is the same for all documents but those that state their own. */
export async function setSecurityHeaders(app: FastifyInstance, settings: HeaderSettings): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: contentPolicy(settings) },
    crossOriginOpenerPolicy: { policy: openerPolicyOf(settings) },
    crossOriginResourcePolicy: { policy: CORP },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: settings.hasGoogle ? "strict-origin" : "no-referrer" },
    strictTransportSecurity: settings.publicUrl.startsWith("https:") && { maxAge: HSTS_SECONDS },
    xFrameOptions: { action: "deny" },
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.header("permissions-policy", PERMISSIONS);
    // The matched route, as the router decodes a path that the client has escaped (`/%61pi`).
    if (isOfApi(request.routeOptions.url)) reply.headers(apiHeaders);
  });
}

/** Whether a decoded path, or the pattern of a route, belongs to the API. */
export function isOfApi(path: string | undefined): boolean {
  return path === API_BASE || path?.startsWith(`${API_BASE}/`) === true;
}

/** For answers that come about before any hook: they hold no document, so nothing is allowed. */
export function headersWithoutHooks(settings: HeaderSettings): Record<string, string> {
  return {
    ...apiHeaders,
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": openerPolicyOf(settings),
    "cross-origin-resource-policy": CORP,
    "x-content-type-options": "nosniff",
    "permissions-policy": PERMISSIONS,
    ...(settings.publicUrl.startsWith("https:") && { "strict-transport-security": `max-age=${HSTS_SECONDS}` }),
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
