import "../../testing/english-texts.ts";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ClientMessage } from "../../chats/state/chats-state.ts";
import SpokenReply from "./spoken-reply.tsx";

const answer = (content: string): ClientMessage => ({
  key: "k",
  id: null,
  role: "assistant",
  content,
  loading: false,
  state: "writing",
});
const said = () => [...screen.getByRole("log").children].map(({ textContent }) => textContent);
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test("an answer is spoken by sentences, each once, and its rest when it has ended", async () => {
  const { rerender } = render(<SpokenReply message={answer("")} isWriting />);
  expect(screen.getByRole("log").getAttribute("aria-live")).toBe("polite");
  rerender(<SpokenReply message={answer("The sea rises. The")} isWriting />);
  expect(said()).toEqual([]);
  await pass(1000);
  expect(said()).toEqual(["The sea rises."]);
  rerender(<SpokenReply message={answer("The sea rises. Then it falls. Twice a day")} isWriting />);
  await pass(1000);
  expect(said()).toEqual(["The sea rises.", "Then it falls."]);
  rerender(
    <SpokenReply message={{ ...answer("The sea rises. Then it falls. Twice a day"), key: "l" }} isWriting={false} />,
  );
  expect(said()).toEqual(["The sea rises.", "Then it falls.", "Twice a day"]);
  await pass(10_000);
  expect(said()).toEqual([]);
});

test("the existing text of a running answer is not spoken again", async () => {
  const { rerender } = render(<SpokenReply message={answer("Old words. ")} isWriting />);
  rerender(<SpokenReply message={answer("Old words. New ones. And")} isWriting />);
  await pass(1000);
  expect(said()).toEqual(["New ones."]);
});

test("only the last spoken sentences of a long answer stay in the page", async () => {
  const { rerender } = render(<SpokenReply message={answer("")} isWriting />);
  let words = "";
  for (let turn = 1; turn <= 20; turn += 1) {
    words += `Sentence ${turn} it is. And`;
    rerender(<SpokenReply message={answer(words)} isWriting />);
    await pass(1000);
    expect(said().at(-1)).toContain(`Sentence ${turn} it is.`);
  }
  expect(said()).toHaveLength(5);
});

test("I9 very many sentences that arrive together are added a few a second, each in a line of its own", async () => {
  const { rerender } = render(<SpokenReply message={answer("")} isWriting />);
  const text = `${"aא".repeat(5000)}. And. `;
  rerender(<SpokenReply message={answer(text)} isWriting />);
  await pass(1000);
  rerender(<SpokenReply message={answer(text)} isWriting={false} />);
  const announced = new Set<Element>();
  for (let second = 0; second < 10; second += 1) {
    for (const added of screen.getByRole("log").children) announced.add(added);
    await pass(1000);
  }
  const additions = [...announced];
  expect(additions.every(({ textContent }) => textContent.length <= 2100)).toBe(true);
  const lines = additions.flatMap(({ children }) => [...children].map(({ textContent }) => textContent));
  expect(lines.every(({ length }) => length <= 1000)).toBe(true);
  expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
  await pass(10_000);
  expect(said()).toEqual([]);
});

test("sentences that wait are not added once another answer is written", async () => {
  const { rerender } = render(<SpokenReply message={answer("")} isWriting />);
  rerender(<SpokenReply message={answer("An old sentence. ".repeat(400))} isWriting />);
  await pass(1000);
  rerender(<SpokenReply message={answer("An old sentence. ".repeat(400))} isWriting={false} />);
  rerender(<SpokenReply message={{ ...answer(""), key: "l" }} isWriting />);
  rerender(<SpokenReply message={{ ...answer("A new one. And"), key: "l" }} isWriting />);
  await pass(1000);
  expect(said().at(-1)).toBe("A new one.");
});

test("I9 very short sentences share a line, and all are spoken after the answer has ended", async () => {
  const { rerender } = render(<SpokenReply message={answer("")} isWriting />);
  const text = "a\n".repeat(5000);
  rerender(<SpokenReply message={answer(text)} isWriting />);
  await pass(1000);
  rerender(<SpokenReply message={answer(text)} isWriting={false} />);
  const announced = new Set<Element>();
  for (let second = 0; second < 10; second += 1) {
    for (const added of screen.getByRole("log").children) announced.add(added);
    await pass(1000);
  }
  const additions = [...announced];
  expect(additions.every(({ children }) => children.length <= 25)).toBe(true);
  expect(additions.map(({ textContent }) => textContent.match(/a/g)?.length ?? 0).reduce((a, b) => a + b)).toBe(5000);
});

test("the rest of an answer that has ended is spoken although another chat is opened", async () => {
  const { rerender } = render(<SpokenReply message={answer("")} isWriting />);
  const text = "An old sentence. ".repeat(200);
  rerender(<SpokenReply message={answer(text)} isWriting />);
  rerender(<SpokenReply message={answer(text)} isWriting={false} />);
  rerender(<SpokenReply message={{ ...answer("Other words. ".repeat(900)), key: "l" }} isWriting={false} />);
  let spoken = "";
  for (let second = 0; second < 5; second += 1) {
    await pass(1000);
    spoken = said().join(" ");
  }
  expect(spoken).not.toContain("Other");
  expect(spoken.match(/An old sentence\./g)).toHaveLength(200);
});
