import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WordPainter } from "./word-painter.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  Reflect.deleteProperty(navigator, "scheduling");
});

const FRAME_MS = 16;
const write = () => void document.body.dispatchEvent(new InputEvent("input", { bubbles: true }));

/** A painter that receives a word every 10 ms. */
function stream(length = 0) {
  const startedAt = performance.now();
  const painted: number[] = [];
  const painter = new WordPainter(length, () => painted.push(performance.now() - startedAt));
  const source = setInterval(() => painter.push(" word"), 10);
  painter.push("A");
  return {
    painted,
    end: () => {
      clearInterval(source);
      painter.flush();
    },
  };
}

test("the painter paints the first text at once, then at intervals, which are longer for a long reply", () => {
  const short = stream();
  vi.advanceTimersByTime(205);
  short.end();
  expect(short.painted.slice(0, 5)).toEqual([0, 50, 100, 150, 200]);
  const long = stream(20_000);
  vi.advanceTimersByTime(205);
  long.end();
  expect(long.painted.slice(0, 3)).toEqual([0, 100, 200]);
});

test("the painter paints a backlog in several tasks, without splitting a character, and the rest at the end", () => {
  const painted: string[] = [];
  const painter = new WordPainter(0, (text) => painted.push(text));
  const backlog = `1${"\u{1F426}".repeat(4000)}`;
  painter.push(backlog);
  expect(painted).toHaveLength(1);
  vi.advanceTimersByTime(2 * FRAME_MS);
  expect(painted).toHaveLength(3);
  for (const text of painted) {
    expect(text.length).toBeLessThanOrEqual(2000);
    expect(text.isWellFormed()).toBe(true);
  }
  painter.flush();
  expect(painted).toHaveLength(4);
  expect(painted.join("")).toBe(backlog);
});

test("the painter paints a backlog of a very long reply in tasks whose number grows with the logarithm of its length", () => {
  const painted: string[] = [];
  const painter = new WordPainter(0, (text) => painted.push(text));
  const backlog = "word ".repeat(200_000);
  painter.push(backlog);
  vi.advanceTimersByTime(250 * FRAME_MS);
  expect(painted.join("")).toBe(backlog);
  const early = painted.slice(0, 25);
  expect(Math.max(...early.map(({ length }) => length))).toBe(2000);
  for (const [index, { length }] of painted.entries()) {
    const before = painted.slice(0, index).reduce((sum, text) => sum + text.length, 0);
    expect(length).toBeLessThanOrEqual(Math.max(2000, before / 25));
  }
  painter.flush();
});

/** Returns a painter whose stream has ended with a backlog of 8,001 UTF-16 units. */
function drain() {
  const painted: string[] = [];
  const painter = new WordPainter(0, (text) => painted.push(text));
  const backlog = `1${"\u{1F426}".repeat(4000)}`;
  painter.push(backlog);
  const state = { isDone: false };
  const done = painter.drain().then(() => {
    state.isDone = true;
  });
  return { painter, painted, backlog, state, done };
}

test("the painter paints a backlog in several tasks after the end of the stream", async () => {
  const { painter, painted, backlog, state } = drain();
  expect(painted).toHaveLength(1);
  for (let task = 2; task <= 4; task++) {
    await vi.advanceTimersByTimeAsync(FRAME_MS);
    expect(painted).toHaveLength(task);
    expect(state.isDone).toBe(false);
    expect(painter.isDraining).toBe(true);
  }
  await vi.advanceTimersByTimeAsync(FRAME_MS);
  expect(state.isDone).toBe(true);
  expect(painter.isDraining).toBe(false);
  for (const text of painted) expect(text.length).toBeLessThanOrEqual(2000);
  expect(painted.join("")).toBe(backlog);
  expect(vi.getTimerCount()).toBe(0);
});

test("the painter paints the last words of a short text at the end of the stream without a timer", async () => {
  const painted: string[] = [];
  const painter = new WordPainter(0, (text) => painted.push(text));
  painter.push("One ");
  painter.push("two");
  await painter.drain();
  expect(painted).toEqual(["One ", "two"]);
});

test("the painter paints the rest at once if it is flushed after the end of the stream", async () => {
  const { painter, painted, backlog, done } = drain();
  painter.flush();
  await done;
  expect(painted).toHaveLength(2);
  expect(painted.join("")).toBe(backlog);
});

test("the painter paints the rest at once if the page is or becomes hidden at the end of the stream", async () => {
  const { painted, backlog, done } = drain();
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  document.dispatchEvent(new Event("visibilitychange"));
  await done;
  expect(painted).toHaveLength(2);
  expect(painted.join("")).toBe(backlog);
  const before = drain();
  await before.done;
  expect(before.painted.join("")).toBe(before.backlog);
  hidden.mockRestore();
});

test("a hidden page paints all waiting text, because its timers are slowed down", () => {
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  const painted: string[] = [];
  const painter = new WordPainter(0, (text) => painted.push(text));
  painter.push("word ".repeat(2000));
  expect(painted).toHaveLength(1);
  painter.flush();
  hidden.mockRestore();
});

test("the painter paints a pressed letter before text that is due", () => {
  let isLetterWaiting = false;
  Object.assign(navigator, { scheduling: { isInputPending: () => isLetterWaiting } });
  const { painted, end } = stream(20_000);
  vi.advanceTimersByTime(195);
  isLetterWaiting = true;
  vi.advanceTimersByTime(15);
  expect(painted).toEqual([0, 100]);
  isLetterWaiting = false;
  vi.advanceTimersByTime(15);
  expect(painted).toHaveLength(3);
  end();
});

test("the painter paints text after a letter while the user types, and seldom without one", () => {
  const { painted, end } = stream(20_000);
  vi.advanceTimersByTime(205);
  painted.length = 0;
  // A letter every 120 ms, between two intervals.
  const letters = [290, 410, 530];
  let at = 205;
  for (const letter of letters) {
    vi.advanceTimersByTime(letter - at);
    write();
    at = letter;
  }
  vi.advanceTimersByTime(120);
  for (const time of painted) {
    const delay = Math.min(...letters.map((letter) => (time < letter ? Number.POSITIVE_INFINITY : time - letter)));
    expect(delay).toBeLessThanOrEqual(2 * FRAME_MS);
    expect(delay).toBeGreaterThan(0);
  }
  expect(painted).toHaveLength(letters.length);
  painted.length = 0;
  vi.advanceTimersByTime(2000);
  end();
  const [first = 0, second = 0] = painted;
  expect(second - first).toBe(200);
  // Typing has ended.
  expect((painted.at(-2) ?? 0) - (painted.at(-3) ?? 0)).toBe(100);
});

test("fast typing does not paint more often than the interval", () => {
  const { painted, end } = stream(20_000);
  for (let letter = 0; letter < 50; letter++) {
    write();
    vi.advanceTimersByTime(20);
  }
  end();
  expect(painted.length).toBeLessThanOrEqual(11);
  expect(painted.length).toBeGreaterThanOrEqual(5);
});
