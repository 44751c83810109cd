import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../../api/client.ts";
import { PictureCache, type PictureState } from "./picture-cache.ts";

const live = new Set<string>();
let made = 0;

beforeEach(() => {
  vi.useFakeTimers();
  live.clear();
  made = 0;
  vi.spyOn(URL, "createObjectURL").mockImplementation(() => {
    const url = `blob:${++made}`;
    live.add(url);
    return url;
  });
  vi.spyOn(URL, "revokeObjectURL").mockImplementation((url) => void live.delete(url));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A server whose answers the test gives. `asked`: ids of all requests. */
function server() {
  const open = new Map<string, PromiseWithResolvers<Blob>>();
  const asked: string[] = [];
  const aborted: string[] = [];
  const read = (id: string, signal: AbortSignal) => {
    asked.push(id);
    const answer = Promise.withResolvers<Blob>();
    open.set(id, answer);
    signal.addEventListener("abort", () => {
      aborted.push(id);
      answer.reject(signal.reason);
    });
    return answer.promise;
  };
  /** Lets everything run that waits for no answer. */
  const settle = () => vi.advanceTimersByTimeAsync(0);
  return {
    read,
    asked,
    aborted,
    send: async (id: string, size = 1) => {
      await settle();
      open.get(id)?.resolve(new Blob(["x".repeat(size)]));
      await settle();
    },
    fail: async (id: string, status: number) => {
      await settle();
      open.get(id)?.reject(new ApiError(status, "No"));
      await settle();
    },
    settle,
  };
}

const urlOf = (state: PictureState) => (state.kind === "loaded" ? state.url : state.kind);
const limits = { idleBytes: 10, concurrentLoads: 2 };

test("a picture is read once for all that hold it, and again only after it was evicted", async () => {
  const { read, asked, send, settle } = server();
  const cache = new PictureCache(read, limits);
  expect(cache.state("a").get().kind).toBe("loading");
  expect(asked).toEqual([]);
  const [first, second] = [cache.hold("a"), cache.hold("a")];
  await send("a", 4);
  expect(urlOf(cache.state("a").get())).toBe("blob:1");
  first();
  second();
  cache.hold("a")();
  expect(asked).toEqual(["a"]);
  const release = cache.hold("b");
  await send("b", 8);
  release();
  // 12 bytes are idle: the least recently used one goes.
  expect(urlOf(cache.state("a").get())).toBe("loading");
  expect([...live]).toEqual(["blob:2"]);
  cache.hold("a");
  await settle();
  expect(asked).toEqual(["a", "b", "a"]);
});

test("a held picture is never evicted, whatever its size", async () => {
  const { read, send } = server();
  const cache = new PictureCache(read, limits);
  const release = cache.hold("a");
  cache.hold("b");
  await send("a", 50);
  await send("b", 50);
  expect(live.size).toBe(2);
  release();
  expect([...live]).toEqual(["blob:2"]);
});

test("few pictures are read at once, in the order in which they were wanted", async () => {
  const { read, asked, send, settle } = server();
  const cache = new PictureCache(read, limits);
  const releases = ["a", "b", "c", "d"].map((id) => cache.hold(id));
  await settle();
  expect(asked).toEqual(["a", "b"]);
  // Scrolled past before its turn.
  releases[2]?.();
  await send("a");
  expect(asked).toEqual(["a", "b", "d"]);
});

test("a picture that nothing waits for any more is not read to its end, and the next one begins", async () => {
  const { read, asked, aborted, settle, send } = server();
  const cache = new PictureCache(read, { ...limits, concurrentLoads: 1 });
  const release = cache.hold("a");
  cache.hold("b");
  await settle();
  release();
  expect(aborted).toEqual(["a"]);
  const again = cache.hold("a");
  await settle();
  await settle();
  await send("b");
  await send("a");
  expect(asked).toEqual(["a", "b", "a"]);
  expect(cache.state("a").get().kind).toBe("loaded");
  again();
});

test("a failed picture is read again on request, and one that is gone is known as such", async () => {
  const { read, asked, fail, send, settle } = server();
  const cache = new PictureCache(read, limits);
  cache.hold("a");
  cache.hold("b");
  await fail("a", 0);
  await fail("b", 404);
  expect(cache.state("a").get()).toEqual({ kind: "failed", isGone: false });
  expect(cache.state("b").get()).toEqual({ kind: "failed", isGone: true });
  cache.retryAll();
  await settle();
  expect(asked).toEqual(["a", "b", "a"]);
  await send("a");
  expect(cache.state("a").get().kind).toBe("loaded");
  cache.retry("b");
  await send("b");
  expect(cache.state("b").get().kind).toBe("loaded");
});

test("a picture that was just uploaded is shown without a request", async () => {
  const { read, asked } = server();
  const cache = new PictureCache(read, limits);
  cache.add("a", new Blob(["abc"]));
  cache.hold("a");
  expect([urlOf(cache.state("a").get()), asked]).toEqual(["blob:1", []]);
});

test("clearing revokes every address, also of held pictures", async () => {
  const { read, send, aborted } = server();
  const cache = new PictureCache(read, limits);
  cache.hold("a");
  cache.hold("b");
  await send("a");
  cache.clear();
  expect([live.size, aborted]).toEqual([0, ["b"]]);
  expect(cache.state("a").get().kind).toBe("loading");
});
