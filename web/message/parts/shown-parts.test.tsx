import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { MessagePart } from "#contract/conversation/parts.ts";
import type { ClientMessage } from "../../chats/state/chats-state.ts";
import { growingReasoning, reasoningKey } from "../../reply/reply-parts.ts";
import { Store } from "../../store/store.ts";
import "../../testing/english-texts.ts";
import { AnswerWords } from "../answer-words.tsx";
import { CopyMessage } from "../copy-message.tsx";
import { MessageContext, type MessageMemory } from "../message-context.ts";
import { richReplyModule } from "../reply-body.tsx";
import { newestHeading } from "./newest-heading.ts";
import { useShownParts } from "./parts-module.tsx";

const answer = (more: Partial<ClientMessage> = {}): ClientMessage => ({
  ...{ key: "m", id: "r1", role: "assistant", content: "", state: "writing", loading: true },
  ...more,
});
const written = (parts: MessagePart[], content: string): ClientMessage =>
  answer({ content, state: "complete", loading: false, parts });
const reasoning = (text: string, durationMs?: number, at = 0, seq = 0): MessagePart => ({
  ...{ seq, at, kind: "reasoning", text },
  ...(durationMs !== undefined && { durationMs }),
});
const notice = (code: string, params: object, at = 0): MessagePart => ({ seq: 0, at, kind: "notice", code, params });

/** An answer with what a page adds to it, without a chat session. */
function Answer({ message }: { message: ClientMessage }) {
  return (
    <>
      <AnswerWords message={message} parts={useShownParts(message)} />
      {message.content !== "" && <CopyMessage isAnswer text={message.content} />}
    </>
  );
}

/** The memory of a page without a session. */
function pageMemory(): MessageMemory {
  const values = new Map<object, unknown>();
  return {
    get<T>(key: { readonly create: () => T }): T {
      if (!values.has(key)) values.set(key, key.create());
      return values.get(key) as T;
    },
  };
}

function setUp() {
  const surroundings = { chat: "a", models: { state: new Store({ groups: [] }) }, memory: pageMemory() };
  const element = (message: ClientMessage) => (
    <MessageContext value={surroundings}>
      <Answer message={message} />
    </MessageContext>
  );
  return async (message: ClientMessage) => {
    const shown = render(element(message));
    await act(async () => {});
    return { ...shown, update: (next: ClientMessage) => shown.rerender(element(next)) };
  };
}

/** Stands for the reader of the stream. */
function grow(text: string, seq = 0): Store<string> {
  const growing = new Store(text);
  growingReasoning.set(reasoningKey("r1", seq), growing);
  return growing;
}

const button = (name: string | RegExp) => screen.findByRole("button", { name });

beforeEach(async () => {
  await richReplyModule.load();
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  growingReasoning.clear();
  delete document.documentElement.dataset.reasoning;
});

describe("growing reasoning", () => {
  test("growing reasoning is one line with its time and its newest heading, in place of the indicator", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const show = setUp();
    const { container } = await show(answer({ parts: [reasoning("")] }));
    const growing = grow("**First step**\n\nWords.");
    const line = await button("Thinking...");
    expect(screen.getAllByText(/Thinking/)).toHaveLength(2);
    await act(() => vi.advanceTimersByTimeAsync(12_000));
    expect(line.textContent).toContain("Thinking for 12s");
    expect(line.textContent).toContain("First step");
    growing.set(`${growing.get()}\n\n## Second *step*\n\nMore`);
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(line.textContent).toContain("Second step");
    expect(line.getAttribute("aria-expanded")).toBe("false");
    expect(container.textContent).not.toContain("More");
  });

  test("growing reasoning opens to its text, which is painted as it grows", async () => {
    const show = setUp();
    const growing = grow("I see **one");
    const { update } = await show(answer({ parts: [reasoning("")] }));
    fireEvent.click(await button("Thinking..."));
    const region = await screen.findByRole("region", { name: "Reasoning" });
    await vi.waitFor(() => expect(region.textContent).toBe("I see one"));
    act(() => growing.set("I see **one** thing"));
    await vi.waitFor(() => expect(region.textContent).toBe("I see one thing"));
    expect(region.tabIndex).toBe(0);
    // It stays open while text follows, and after the end of the reply.
    growingReasoning.clear();
    const parts = [reasoning("I see **one** thing", 2000)];
    update(answer({ parts }));
    expect((await button("Thought for 2s")).getAttribute("aria-expanded")).toBe("true");
    update(written(parts, "Hi"));
    expect(screen.getByRole("region", { name: "Reasoning" })).toBe(region);
    expect(region.textContent).toBe("I see one thing");
  });

  test("growing reasoning keeps its element when a block follows it", async () => {
    const show = setUp();
    const opening = reasoning("", undefined, 2);
    grow("More thought");
    const { container, update } = await show(answer({ content: "Hi", loading: false, parts: [opening] }));
    const line = await button("Thinking...");
    const removed: Node[] = [];
    const observer = new MutationObserver((all) =>
      removed.push(...all.flatMap(({ removedNodes }) => [...removedNodes])),
    );
    observer.observe(container, { childList: true, subtree: true });
    growingReasoning.clear();
    update(answer({ content: "Hi\n\nthere", loading: false, parts: [reasoning("More thought", 1000, 2)] }));
    expect(await button("Thought for 1s")).toBe(line);
    observer.disconnect();
    expect(container.textContent).toMatch(/Hi.*Thought for 1s.*there/);
    expect(removed.some((node) => node.contains(line))).toBe(false);
  });

  test("growing reasoning keeps its focus and its limited height when words follow it in its block", async () => {
    const show = setUp();
    const parts = [reasoning("", undefined, 2)];
    grow("More thought");
    const { update } = await show(answer({ content: "Hi", loading: false, parts }));
    const line = await button("Thinking...");
    fireEvent.click(line);
    const heightOf = async () => (await screen.findByRole("region", { name: "Reasoning" })).className;
    const limited = await heightOf();
    line.focus();
    growingReasoning.clear();
    update(answer({ content: "Hi there", loading: false, parts: [reasoning("More thought", 1000, 2)] }));
    const moved = await button("Thought for 1s");
    expect(document.activeElement).toBe(moved);
    expect(moved.getAttribute("aria-expanded")).toBe("true");
    expect(await heightOf()).toBe(limited);
  });

  test("growing reasoning is open where the reader has opened one before, unless the setting forbids it", async () => {
    const show = setUp();
    const first = await show(written([reasoning("Old", 1000)], "Hi"));
    fireEvent.click(await button("Thought for 1s"));
    first.unmount();
    grow("New");
    const next = answer({ key: "n", parts: [reasoning("")] });
    const second = await show(next);
    await vi.waitFor(() => expect(screen.getByRole("region").textContent).toBe("New"));
    second.unmount();
    document.documentElement.dataset.reasoning = "collapse";
    await show({ ...next, key: "o" });
    expect((await button("Thinking...")).getAttribute("aria-expanded")).toBe("false");
  });
});

describe("reasoning of a written answer", () => {
  test.each([
    [900, "Thought for 1s"],
    [125_000, "Thought for 2m 5s"],
    [undefined, "Reasoning"],
  ])("reasoning that took %s ms is folded as “%s”", async (durationMs, name) => {
    const show = setUp();
    const { container } = await show(written([reasoning("Secret", durationMs)], "Hi"));
    expect((await button(name)).getAttribute("aria-expanded")).toBe("false");
    expect(container.textContent).not.toContain("Secret");
    expect(container.querySelector(".animate-spin")).toBeNull();
  });

  test("reasoning stays as the reader left it when its message is rendered again, and can be copied", async () => {
    const writeText = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    const write = vi.spyOn(navigator.clipboard, "write").mockResolvedValue();
    const show = setUp();
    const message = written([reasoning("My **thoughts**", 3000)], "Hi");
    const { unmount } = await show(message);
    fireEvent.click(await button("Thought for 3s"));
    unmount();
    await show(message);
    await vi.waitFor(() => expect(screen.getByRole("region").textContent).toBe("My thoughts"));
    fireEvent.click(await button("Copy reasoning"));
    fireEvent.click(await button("Copy message"));
    expect(writeText.mock.calls).toEqual([["My **thoughts**"]]);
    const [item] = await vi.waitFor(() => write.mock.lastCall?.[0] ?? Promise.reject(new Error("nothing copied")));
    expect(await (await item?.getType("text/plain"))?.text()).toBe("Hi");
  });

  test("reasoning in the middle of an answer stands above the block that follows it", async () => {
    const text = "One.\n\nTwo.\n\nThree.";
    const { container } = await setUp()(written([reasoning("x", 1000, 6)], text));
    await button("Thought for 1s");
    expect(container.textContent).toContain("One.Thought for 1sTwo.");
  });
});

describe("notices", () => {
  test.each([
    [
      "cut",
      { messages: 1 },
      "The model did not receive the first message: this chat is longer than its context window.",
    ],
    [
      "cut",
      { messages: 12 },
      "The model did not receive the first 12 messages: this chat is longer than its context window.",
    ],
    ["model", { model: "X:b", instead: "X:a" }, "a did not answer; b answered instead."],
    [
      "server-cut",
      { sent: 7200, received: 4096 },
      "The server of this model read only 4,096 of more than 7,200 tokens: it cut the beginning of the chat. Its window must be larger (num_ctx at Ollama), or be entered by an owner under Administration, Connections.",
    ],
    [
      "no-tool-run",
      {},
      "The model wrote what looks like the call of a tool, but no tool was run: results in this answer are made up.",
    ],
    [
      "tools-left-out",
      { tools: 1200 },
      "More tools are switched on than one answer may have; the model did not receive 1,200 of them. Switch off what this chat does not need.",
    ],
    ["budget-low", { budget: "account", percent: 85 }, "You have used 85% of your budget of this month."],
    ["budget-low", { budget: "group", percent: 90 }, "Your group has used 90% of its budget of this month."],
    ["effort", { asked: "max", used: "high" }, "This model has no effort “Maximum”; “High” was used."],
    ["file", { file: "f", name: "a.png", received: "none" }, "The model did not see a.png."],
    ["file", { name: "a.pdf", received: "text" }, "The model received the text of a.pdf without its pictures."],
    ["file", { name: "a.pdf", received: "part" }, "The model received only a part of a.pdf."],
    [
      "file",
      { name: "a.png", received: "none", reason: "refused", by: "openai" },
      "The provider did not accept a.png: the model did not see it.",
    ],
    [
      "file",
      { name: "a.pdf", received: "part", reason: "refused", by: "openai" },
      "The provider did not accept a.pdf: the model received only its text.",
    ],
    [
      "file",
      { name: "a.gif", received: "none", reason: "animated", by: "openai" },
      "The model did not see a.gif: its provider accepts only still pictures.",
    ],
    [
      "file",
      { name: "a.png", received: "none", reason: "no-pictures", by: "VLLM:qwen3" },
      "This model takes no pictures: it did not see a.png.",
    ],
    ["file", { name: "a.png", received: "none", reason: "of a newer server" }, "The model did not see a.png."],
    [
      "files",
      { files: 2, names: "a.png, b.pdf" },
      "Files of earlier messages that the model did not receive whole: a.png, b.pdf",
    ],
    [
      "files",
      { files: 21, names: "a.png, b.pdf" },
      "Files of earlier messages that the model did not receive whole: …, a.png, b.pdf",
    ],
  ])("the notice %s with %o stands above the text", async (code, params, words) => {
    const { container } = await setUp()(written([notice(code, params)], "Hi"));
    await vi.waitFor(() => expect(container.textContent.replaceAll(/[\u2068\u2069]/g, "")).toContain(`${words}Hi`));
  });

  test("a notice about another model in the middle stands between the blocks, and never within code", async () => {
    const text = "One.\n\n```\ncode\n\nmore\n```\n\nTwo.";
    const at = text.indexOf("more");
    const { container } = await setUp()(written([notice("model", { model: "X:b", instead: "X:a" }, at)], text));
    const note = await screen.findByRole("note");
    expect(note.textContent).toContain("a did not finish its answer; b continued it.");
    expect(note.closest("pre")).toBeNull();
    expect(
      note.compareDocumentPosition(screen.getByText(/code\s+more/)) & Node.DOCUMENT_POSITION_FOLLOWING,
    ).toBeTruthy();
    expect(container.textContent).toMatch(/^One\./);
  });

  test.each([
    ["of an unknown kind", { seq: 0, at: 0, kind: "tool", name: "x" }],
    ["with an unknown code", notice("later", {})],
    ["without its parameters", notice("cut", {})],
    ["about a file with an unknown parameter", notice("file", { name: "a.pdf", received: "half" })],
  ])("a part %s is not shown, and the answer is", async (_name, part) => {
    const { container } = await setUp()(written([part], "Hi"));
    await vi.waitFor(() => expect(container.querySelector(".reading")).toBeNull());
    expect(container.querySelector(".part-line")).toBeNull();
    expect(container.textContent).toContain("Hi");
  });
});

test.each([
  ["", null],
  ["Words only", null],
  ["**Planning**\n\nText", "Planning"],
  ["# One\n## Two ##\nText", "Two"],
  ["**A**: words in a line", null],
  ["**One**\n\n**Two", "One"],
])("the newest heading of the reasoning %j is %j", (text, heading) => {
  expect(newestHeading(text)).toBe(heading);
});
