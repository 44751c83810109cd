import helmet from "@fastify/helmet";
import type { FastifyInstance, FastifyReply } from "fastify";
import { API_BASE } from "#contract/http.ts";

export type HeaderSettings = { publicUrl: string; hasGoogle: boolean };

const GOOGLE = "https://accounts.google.com/gsi/";
const HSTS_SECONDS = 31_536_000;
const CORP = "same-origin";

/**
 * Browser features that no document of ours uses; each is denied to all documents and frames. `web-share` is not
 * listed, because Chromium without that feature logs a warning about it.
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
  "screen-wake-lock",
  "serial",
  "sync-xhr",
  "usb",
  "window-management",
  "xr-spatial-tracking",
] as const;
/** Features of passkeys, for our own documents: never for frames of others or without an origin. */
const ownFeatures = ["publickey-credentials-create", "publickey-credentials-get"] as const;
const PERMISSIONS = [
  ...unusedFeatures.map((feature) => `${feature}=()`),
  ...ownFeatures.map((feature) => `${feature}=(self)`),
].join(", ");

/**
 * Google's sign-in popup posts its result to its opener. Without Google no other site needs a reference to our window.
 */
const openerPolicyOf = ({ hasGoogle }: HeaderSettings) => (hasGoogle ? "same-origin-allow-popups" : "same-origin");

/** Headers of all API responses and problem documents: no caching and no `Referer`. */
export const apiHeaders = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

/**
 * Sets the security headers of every response. All documents have the same policy except those that set their own;
 * embedded files then lose the headers of documents ({@link removeDocumentHeaders}).
 */
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
    // Checks the matched route, because the URL may be percent-encoded (`/%61pi`).
    if (isOfApi(request.routeOptions.url)) reply.headers(apiHeaders);
  });
}

/** Headers that browsers apply only to documents and workers, never to a script, a style or a font. */
const documentHeaders = [
  "content-security-policy",
  "cross-origin-opener-policy",
  "origin-agent-cluster",
  "permissions-policy",
  "referrer-policy",
  "x-dns-prefetch-control",
  "x-download-options",
  "x-frame-options",
  "x-permitted-cross-domain-policies",
  "x-xss-protection",
];

/** Removes 1 kB of headers from the response of a file that is only ever embedded in documents. */
export function removeDocumentHeaders(reply: Pick<FastifyReply, "removeHeader">): void {
  for (const name of documentHeaders) reply.removeHeader(name);
}

/** Whether a decoded path or a route pattern belongs to the API. */
export function isOfApi(path: string | undefined): boolean {
  return path === API_BASE || path?.startsWith(`${API_BASE}/`) === true;
}

/**
 * Returns headers for responses that are sent before any hook. They contain no document, so the policy allows nothing.
 */
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
 * Headers of the sandboxed page that draws diagrams in an iframe, and of its files. Its origin is opaque, so its own
 * files are cross-origin. Even a malicious diagram can neither send requests nor access our origin.
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
  // With helmet's `?1` Chromium would log for each frame that it cannot be origin-keyed.
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
