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

test("I9 very many sentences that arrive together are not one line", async () => {
  const { rerender } = render(<SpokenReply message={answer("")} isWriting />);
  rerender(<SpokenReply message={answer(`${"aא".repeat(20_000)}. And. `)} isWriting />);
  await pass(1000);
  const [added] = screen.getByRole("log").children;
  const lines = [...(added?.children ?? [])].map(({ textContent }) => textContent ?? "");
  expect(lines.length).toBeGreaterThan(50);
  expect(lines.every((line) => line.length <= 1000)).toBe(true);
  expect(said()[0]?.replaceAll(" ", "")).toContain("aא".repeat(20_000));
});
