import type { IncomingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";
import { buildConnector, type Dispatcher, Pool, ProxyAgent } from "undici";
import { ProxyFailure } from "./proxy-failure.ts";

/** `connectMs`: time limit of a connection. `bodyMs`: longest silence within a body; 0: none. */
export type Timeouts = { connectMs: number; bodyMs: number };

/**
 * Opens connections through a proxy: by a tunnel (`CONNECT`) to https, and by requests in absolute form to http, because
 * many proxies allow tunnels to port 443 only. Failures of the proxy itself are errors of the type ProxyFailure.
 */
export function openProxied(address: URL, proxy: URL, timeouts: Timeouts): Dispatcher {
  return address.protocol === "https:" ? openTunnel(proxy, timeouts) : openForwarding(proxy, timeouts);
}

function openTunnel(proxy: URL, timeouts: Timeouts): Dispatcher {
  const { connectMs, bodyMs } = timeouts;
  return new ProxyAgent({
    uri: proxy.href,
    requestTls: { timeout: connectMs },
    headersTimeout: 0,
    bodyTimeout: bodyMs,
    allowH2: false,
    // These connections are used for `CONNECT` only.
    clientFactory: () => openProxy(proxy, { connectMs, bodyMs: 0, headersMs: connectMs }),
  });
}

function openForwarding(proxy: URL, timeouts: Timeouts): Dispatcher {
  const authorization = authorizationOf(proxy);
  return openProxy(proxy, { ...timeouts, headersMs: 0 }).compose((dispatch) => (request, handler) => {
    const { origin = "", path, headers } = request;
    const forwarded = {
      ...request,
      origin: proxy.origin,
      path: `${new URL(origin).origin}${path}`,
      headers: {
        ...(headers as Record<string, string>),
        host: new URL(origin).host,
        ...(authorization && { "proxy-authorization": authorization }),
      },
      // Otherwise the certificate of the proxy is compared with the host in the header.
      servername: proxy.hostname,
    };
    return dispatch(forwarded, handler);
  });
}

/** Opens connections to the proxy itself. `headersMs`: time limit of its answers; 0: none. */
function openProxy(proxy: URL, { connectMs, bodyMs, headersMs }: Timeouts & { headersMs: number }): Dispatcher {
  const connect = buildConnector({ timeout: connectMs, allowH2: false });
  const pool = new Pool(proxy.origin, {
    connect: (options, callback) =>
      connect(options, (...[error, socket]) =>
        error ? callback(ProxyFailure.unreachable(proxy, error), null) : callback(null, socket),
      ),
    headersTimeout: headersMs,
    bodyTimeout: bodyMs,
    allowH2: false,
  });
  return pool.compose((dispatch) => (request, handler) => dispatch(request, new RefusalHandler(handler, proxy)));
}

function authorizationOf({ username, password }: URL): string | undefined {
  if (username === "") return undefined;
  const words = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(words).toString("base64")}`;
}

const TUNNEL_OPEN = 200;
const PASSWORD_WANTED = 407;

/** Converts a refusal by the proxy to an error, and passes everything else on. */
class RefusalHandler implements Dispatcher.DispatchHandler {
  readonly #next: Dispatcher.DispatchHandler;
  readonly #proxy: URL;
  #isRefused = false;

  constructor(next: Dispatcher.DispatchHandler, proxy: URL) {
    this.#next = next;
    this.#proxy = proxy;
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#next.onRequestStart?.(controller, context);
  }

  onRequestUpgrade(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    socket: Duplex,
  ): void {
    if (status === TUNNEL_OPEN) {
      this.#next.onRequestUpgrade?.(controller, status, headers, socket);
      return;
    }
    socket.on("error", () => undefined).destroy();
    this.#refuse(controller, status);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status === PASSWORD_WANTED) this.#refuse(controller, status);
    else this.#next.onResponseStart?.(controller, status, headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#isRefused) this.#next.onResponseData?.(controller, chunk);
  }

  onResponseEnd(controller: Dispatcher.DispatchController, trailers: IncomingHttpHeaders): void {
    if (!this.#isRefused) this.#next.onResponseEnd?.(controller, trailers);
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    if (!this.#isRefused) this.#next.onResponseError?.(controller, error);
  }

  #refuse(controller: Dispatcher.DispatchController, status: number): void {
    this.#isRefused = true;
    this.#next.onResponseError?.(controller, ProxyFailure.refused(this.#proxy, status));
  }
}
