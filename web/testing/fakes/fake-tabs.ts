/** For tests: fake locks and channels that the tabs of one browser share, and pages that can be hidden. */

import type { Locks, TabChannel, TabTools } from "../../api/events/tab-tools.ts";
import type { PageVisibility } from "../../api/page-visibility.ts";

type Grant = (lock: Lock | null) => unknown;
type Request = { run: Grant; settle: { resolve: (value: unknown) => void; reject: (cause: unknown) => void } };

/** The used subset of Web Locks: exclusive, with `ifAvailable`, `steal` and `signal`. */
class FakeLocks {
  readonly #held = new Map<string, Request>();
  readonly #queues = new Map<string, Request[]>();

  isHeld(name: string): boolean {
    return this.#held.has(name);
  }

  request(name: string, options: LockOptions, run: Grant): Promise<unknown> {
    const settle = Promise.withResolvers<unknown>();
    const request = { run, settle };
    if (options.steal) {
      this.#held.get(name)?.settle.reject(new DOMException("stolen", "AbortError"));
      this.#grant(name, request);
    } else if (!this.#held.has(name)) this.#grant(name, request);
    else if (options.ifAvailable) void Promise.resolve(run(null)).then(settle.resolve, settle.reject);
    else {
      const queue = this.#queues.get(name) ?? [];
      this.#queues.set(name, queue);
      queue.push(request);
      options.signal?.addEventListener("abort", () => {
        const index = queue.indexOf(request);
        if (index === -1) return;
        queue.splice(index, 1);
        settle.reject(new DOMException("called off", "AbortError"));
      });
    }
    return settle.promise;
  }

  #grant(name: string, request: Request): void {
    this.#held.set(name, request);
    const isOver = (settle: (value: unknown) => void) => (value: unknown) => {
      settle(value);
      if (this.#held.get(name) !== request) return;
      this.#held.delete(name);
      const next = this.#queues.get(name)?.shift();
      if (next) this.#grant(name, next);
    };
    Promise.resolve()
      .then(() => request.run({ name, mode: "exclusive" }))
      .then(isOver(request.settle.resolve), isOver(request.settle.reject));
  }
}

/** Fake of one browser. Each tab has its own `tools`. */
export class FakeBrowser {
  readonly locks = new FakeLocks();
  readonly #open = new Set<{ name: string; onMessage: (message: unknown) => void }>();

  tools(): TabTools {
    return {
      locks: this.locks as unknown as Locks,
      openChannel: (name) => this.#openChannel(name),
    };
  }

  #openChannel(name: string): TabChannel {
    const end = { name, onMessage: (_message: unknown) => {} };
    this.#open.add(end);
    return {
      post: (message) => {
        const copy: unknown = structuredClone(message);
        for (const other of this.#open)
          if (other !== end && other.name === name) queueMicrotask(() => other.onMessage(copy));
      },
      listen: (listener) => {
        end.onMessage = listener;
      },
      close: () => this.#open.delete(end),
    };
  }
}

export class FakePage implements PageVisibility {
  #isVisible = true;
  readonly #listeners = new Set<() => void>();

  isVisible = (): boolean => this.#isVisible;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  show(isVisible: boolean): void {
    this.#isVisible = isVisible;
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Returns a response body that the test writes chunk by chunk, as a server does. */
export function heldBody() {
  const encoder = new TextEncoder();
  let control: ReadableStreamDefaultController<Uint8Array> | undefined;
  const state = { isCancelled: false };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      control = controller;
    },
    cancel: () => {
      state.isCancelled = true;
    },
  });
  return {
    state,
    response: () => new Response(body, { headers: { "content-type": "text/event-stream" } }),
    say: (event: unknown) => control?.enqueue(encoder.encode(`data: ${JSON.stringify(event)}\n\n`)),
    live: () => control?.enqueue(encoder.encode("data:\n\n")),
    write: (text: string | Uint8Array) => control?.enqueue(typeof text === "string" ? encoder.encode(text) : text),
    end: () => control?.close(),
    fail: () => control?.error(new Error("cut")),
  };
}
