import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { heldBody } from "../../testing/fakes/fake-tabs.ts";
import { ApiError } from "../client.ts";
import { AccountEvents, type AccountNews } from "./account-events.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Follows events with an API that returns the given responses in order. */
function follow(answers: (() => Response)[], from: number | null = null) {
  const paths: string[] = [];
  const received: AccountNews[] = [];
  const leaving = new AbortController();
  const open = async (path: string) => {
    paths.push(path);
    const answer = answers.shift();
    if (!answer) return new Promise<Response>(() => {});
    return answer();
  };
  const events = new AccountEvents({ api: { open }, from, signal: leaving.signal, random: () => 0 });
  const finished = (async () => {
    for await (const news of events) received.push(news);
  })();
  const changes = () => received.flatMap((news) => (news.type === "event" ? [news.event] : []));
  return { paths, received, changes, events, leaving, finished };
}

const unreachable = () => {
  throw new ApiError(0, "No", { code: "unreachable" });
};

test("the event stream of the account yields events and skips all other lines", async () => {
  const body = heldBody();
  const { paths, changes } = follow([body.response]);
  body.write('data: {"at":3,"isReset":true}\n\ndata:\n\nid: 1\ndata: {"what":"new"}\n\ndata: {"at":4,"del');
  body.write('eted":"a"}\n\n');
  await vi.waitFor(() =>
    expect(changes()).toEqual([
      { at: 3, isReset: true },
      { at: 4, deleted: "a" },
    ]),
  );
  expect(paths).toEqual(["/events"]);
});

test("the event stream resumes after a lost connection at its last position, after a pause", async () => {
  const [first, second] = [heldBody(), heldBody()];
  const { paths, received, changes } = follow([first.response, second.response], 5);
  first.say({ at: 5, isReset: false });
  first.say({ at: 8, deleted: "a" });
  await vi.advanceTimersByTimeAsync(0);
  first.fail();
  await vi.advanceTimersByTimeAsync(400);
  expect(received.at(-1)).toEqual({ type: "lost" });
  expect(paths).toEqual(["/events?from=5"]);
  await vi.advanceTimersByTimeAsync(200);
  expect(paths).toEqual(["/events?from=5", "/events?from=8"]);
  second.say({ at: 9, deleted: "b" });
  await vi.waitFor(() => expect(changes().at(-1)).toEqual({ at: 9, deleted: "b" }));
});

test("the event stream backs off while there is no server, and retries at once when hurried (R28)", async () => {
  const { paths, events } = follow(Array.from({ length: 20 }, () => unreachable));
  const triesAt: number[] = [];
  for (let second = 0; second < 100; second += 0.5) {
    const before = paths.length;
    await vi.advanceTimersByTimeAsync(500);
    if (paths.length > before) triesAt.push(second);
  }
  expect(paths.length).toBeLessThan(12);
  const before = paths.length;
  events.hurry();
  await vi.advanceTimersByTimeAsync(0);
  expect(paths.length).toBe(before + 1);
});

test("the event stream retries after a refusal", async () => {
  const body = heldBody();
  const { paths } = follow([() => new Response("{}", { status: 503 }), body.response]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(paths).toHaveLength(2);
});

test("the event stream treats 40 s of silence as a lost connection, and a keep-alive as activity", async () => {
  const body = heldBody();
  const { paths, received } = follow([body.response]);
  body.say({ at: 1, isReset: true });
  await vi.advanceTimersByTimeAsync(30_000);
  body.live();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(received.filter(({ type }) => type === "lost")).toEqual([]);
  await vi.advanceTimersByTimeAsync(12_000);
  expect(received.at(-1)).toEqual({ type: "lost" });
  expect(body.state.isCancelled).toBe(true);
  expect(paths.at(-1)).toBe("/events?from=1");
});

test("the event stream ends when its signal is aborted, also in a pause", async () => {
  const { paths, leaving, finished } = follow([unreachable]);
  await vi.advanceTimersByTimeAsync(100);
  leaving.abort();
  await finished;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(paths).toHaveLength(1);
});

test("the event stream times out after 20 s without a response, and retries", async () => {
  const { paths, received } = follow([]);
  await vi.advanceTimersByTimeAsync(19_000);
  expect(paths).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2000);
  expect(received).toEqual([{ type: "lost" }]);
  expect(paths).toHaveLength(2);
});

test("the event stream aborts a pending request when the network has changed", async () => {
  const { paths } = follow([]);
  await vi.advanceTimersByTimeAsync(1000);
  window.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(0);
  expect(paths).toHaveLength(2);
});
