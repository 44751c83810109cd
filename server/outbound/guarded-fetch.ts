import type { AllowedHost } from "./guarded-request.ts";
import type { GuardedResponse } from "./guarded-response.ts";
import type { OutboundGuard } from "./outbound-guard.ts";
import { OutboundRefusal } from "./outbound-refusal.ts";

/** In the form of `fetch` that libraries take. Bodies are texts or `URLSearchParams`. */
export type GuardedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * `allowed`: the address of an owner, which may be private. `maxBytes`: of a body, as it arrives and decoded.
 * `timeoutMs`: until the end of the body; by default none, because an event stream has no end.
 */
export type GuardedFetchOptions = { allowed?: AllowedHost | undefined; maxBytes: number; timeoutMs?: number };

const METHODS = ["GET", "POST", "DELETE"] as const;
/** Statuses without a body, of which a `Response` accepts none. */
const WITHOUT_BODY = new Set([204, 205, 304]);
const [STATUS_MIN, STATUS_MAX] = [200, 599];

/**
 * Returns a client for libraries. Bodies are streams; a connection is closed when its body ends, fails or is cancelled.
 * Redirects are followed unless `init.redirect` is `manual` or `error`; then they are responses.
 */
export function guardedFetch(guard: OutboundGuard, options: GuardedFetchOptions): GuardedFetch {
  return async (url, { method = "GET", headers, body, signal, redirect = "follow" } = {}) => {
    const known = METHODS.find((each) => each === method);
    if (known === undefined) throw new TypeError(`The method ${method} is not supported`);
    const response = await guard.open(url, {
      method: known,
      headers: Object.fromEntries(new Headers(headers)),
      ...(body !== undefined && body !== null && { body: String(body) }),
      allowed: options.allowed,
      maxBytes: options.maxBytes,
      timeoutMs: options.timeoutMs ?? Number.POSITIVE_INFINITY,
      isAnyStatus: true,
      followsRedirects: redirect === "follow",
      signal: signal ?? undefined,
    });
    return toResponse(response);
  };
}

async function toResponse(response: GuardedResponse): Promise<Response> {
  const { status } = response;
  if (status < STATUS_MIN || status > STATUS_MAX) {
    await response[Symbol.asyncDispose]();
    throw new OutboundRefusal("bad-status", { status });
  }
  const init = { status, headers: response.headers };
  if (!WITHOUT_BODY.has(status)) return new Response(streamOf(response), init);
  await response[Symbol.asyncDispose]();
  return new Response(null, init);
}

/** Returns the decoded body, and disposes the response with its end. */
function streamOf(response: GuardedResponse): ReadableStream<Uint8Array<ArrayBuffer>> {
  const pieces = response.body();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next();
          if (!done) return controller.enqueue(new Uint8Array(value));
          await response[Symbol.asyncDispose]();
          controller.close();
        } catch (error) {
          await response[Symbol.asyncDispose]();
          throw error;
        }
      },
      cancel: () => response[Symbol.asyncDispose](),
    },
    { highWaterMark: 0 },
  );
}
