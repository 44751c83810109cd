import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { Dispatcher } from "undici";

type Replay = {
  status?: number;
  headers?: IncomingHttpHeaders;
  chunks: readonly Uint8Array[];
  /** End of the connection; `open`: it stays open. */
  ending?: "end" | "reset" | "open";
};

/** Replays recorded bytes to a call at once, in exactly the given chunks. */
export class ReplayDispatcher extends Dispatcher {
  isAborted = false;
  seen: Dispatcher.DispatchOptions | undefined;
  readonly #replay: Replay;

  constructor(replay: Replay) {
    super();
    this.#replay = replay;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const { status = 200, headers = { "content-type": "text/event-stream" }, chunks, ending = "end" } = this.#replay;
    this.seen = options;
    const isAborted = () => this.isAborted;
    const controller: Dispatcher.DispatchController = {
      get aborted() {
        return isAborted();
      },
      paused: false,
      reason: null,
      pause() {},
      resume() {},
      abort: (reason) => {
        if (this.isAborted) return;
        this.isAborted = true;
        handler.onResponseError?.(controller, reason);
      },
    };
    handler.onRequestStart?.(controller, {});
    if (!this.isAborted) handler.onResponseStart?.(controller, status, headers);
    for (const chunk of chunks) if (!this.isAborted) handler.onResponseData?.(controller, Buffer.from(chunk));
    if (this.isAborted || ending === "open") return true;
    if (ending === "end") handler.onResponseEnd?.(controller, {});
    else handler.onResponseError?.(controller, new Error("other side closed"));
    return true;
  }
}

/** Returns the bytes of `testing/fixtures/wire/NAME.txt`. */
export function wireFixture(name: string): Buffer {
  return readFileSync(new URL(`../fixtures/wire/${name}.txt`, import.meta.url));
}
