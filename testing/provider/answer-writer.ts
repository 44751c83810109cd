import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Writes the answer to one request of a provider. `write`, `flush` and `pause` reject with an `AbortError` once the
 * connection is closed, so that a script ends by itself.
 */
export class AnswerWriter {
  readonly #response: ServerResponse;
  readonly #signal: AbortSignal;

  /** @param signal aborted when the connection of `response` closes */
  constructor(response: ServerResponse, signal: AbortSignal) {
    this.#response = response;
    this.#signal = signal;
  }

  /** Whether the connection is closed. */
  get isClosed(): boolean {
    return this.#response.destroyed;
  }

  /** Sends a complete answer. */
  respond(
    status: number,
    contentType = "text/plain",
    body: string | Uint8Array = "",
    headers: OutgoingHttpHeaders = {},
  ): void {
    this.#response.writeHead(status, { "content-type": contentType, ...headers }).end(body);
  }

  /** Sends the headers of an event stream, together with the first bytes that are written. */
  begin(headers: OutgoingHttpHeaders = {}): void {
    const defaults = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
    this.#response.writeHead(200, { ...defaults, ...headers });
  }

  /**
   * Writes synchronously, at the cost of one `ServerResponse.write`.
   * @returns false if the buffer is full: await `drained` before the next write
   */
  push(part: string | Uint8Array): boolean {
    return this.#response.write(part);
  }

  /** Resolves when the buffer is empty or the connection is closed. */
  drained(): Promise<void> {
    return this.#untilClosedOr((resolve) => this.#response.once("drain", resolve));
  }

  /** Writes with backpressure: resolves when the next part can be written. Node may join parts in one TCP segment. */
  async write(part: string | Uint8Array): Promise<void> {
    this.#signal.throwIfAborted();
    if (!this.push(part)) await this.drained();
  }

  /** Writes and waits for the operating system to take the bytes: the next part is never joined with this one. */
  async flush(part: string | Uint8Array): Promise<void> {
    this.#signal.throwIfAborted();
    await this.#untilClosedOr((resolve) => this.#response.write(part, resolve));
  }

  pause(ms: number): Promise<void> {
    return delay(ms, undefined, { signal: this.#signal });
  }

  /** Ends the answer after the buffered bytes. */
  end(part = ""): void {
    this.#response.end(part);
  }

  /** Closes the connection in the middle of the answer. Buffered bytes are lost. */
  destroy(): void {
    this.#response.destroy();
  }

  /** Closes the connection by a TCP reset. */
  reset(): void {
    this.#response.socket?.resetAndDestroy();
  }

  /** Closes the sending half of the TCP connection without ending the HTTP answer. */
  endHalf(): void {
    this.#response.socket?.end();
  }

  untilClosed(): Promise<void> {
    return this.#untilClosedOr(() => {});
  }

  /** Removes its listener from the signal; otherwise an answer would leave one listener for each word. */
  #untilClosedOr(start: (resolve: () => void) => void): Promise<void> {
    if (this.#signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const settle = () => {
        this.#signal.removeEventListener("abort", settle);
        resolve();
      };
      this.#signal.addEventListener("abort", settle);
      start(settle);
    });
  }
}
