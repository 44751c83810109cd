import { MINUTE, SECOND } from "#contract/limits.ts";
import type { Transport } from "../../api/client.ts";

/** Silence after which a connection that sends bytes counts as dead. */
const SENDING_MS = 30 * SECOND;
/** Longest time from the last byte to the answer: the server reads the file meanwhile, behind a queue of a minute. */
const READING_MS = 2 * MINUTE;

/** Creates a transport that reports how many bytes of the body were sent. */
export type ProgressTransport = (onSent: (bytes: number) => void) => Transport;

/** Sends by XMLHttpRequest, because `fetch` reports no progress. Rejects as `fetch` does. */
export const xhrTransport: ProgressTransport = (onSent) => (url, request) =>
  new Promise((resolve, reject) => {
    const { method = "GET", headers, body = null, signal } = request;
    signal?.throwIfAborted();
    const xhr = new XMLHttpRequest();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const fail = (cause: unknown) => {
      xhr.abort();
      settle(() => reject(cause));
    };
    const giveUp = () => fail(new TypeError("The connection is silent"));
    const leave = () => fail(signal?.reason);
    const settle = (end: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", leave);
      end();
    };
    const watch = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(giveUp, ms);
    };
    xhr.upload.addEventListener("progress", ({ loaded }) => {
      watch(SENDING_MS);
      onSent(loaded);
    });
    xhr.upload.addEventListener("load", () => watch(READING_MS));
    xhr.addEventListener("load", () => settle(() => resolve(toResponse(xhr))));
    xhr.addEventListener("error", () => settle(() => reject(new TypeError("Failed to fetch"))));
    signal?.addEventListener("abort", leave);
    xhr.open(method, url);
    for (const [name, value] of new Headers(headers)) xhr.setRequestHeader(name, value);
    watch(SENDING_MS);
    xhr.send(body instanceof Blob ? body : null);
  });

/** Statuses whose response must have no body. */
const BODILESS: readonly number[] = [204, 205, 304];

function toResponse(xhr: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of xhr.getAllResponseHeaders().split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const { status } = xhr;
  return new Response(BODILESS.includes(status) ? null : xhr.responseText, { status, headers });
}
