import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { ClientMessage, Conversation } from "../../chats/state/chats-state.ts";
import "../../testing/english-texts.ts";
import { ReplyStatus } from "./reply-status.tsx";

afterEach(cleanup);

function status(state: ClientMessage["state"], more: Partial<ClientMessage> = {}) {
  const message: ClientMessage = {
    key: "r",
    id: "r",
    role: "assistant",
    content: "Hi",
    state,
    loading: false,
    ...more,
  };
  const isWriting = state === "writing";
  const conversation: Conversation = {
    ...{ id: "a", title: "T", updatedAt: 1, location: {} },
    ...{ messages: [message], isLoaded: true, isWriting, waitReason: null, version: 1 },
  };
  return <ReplyStatus message={message} conversation={conversation} />;
}

test.each([
  ["complete", {}, "The answer is complete."],
  ["complete", { isTruncated: true }, "The answer stopped at the model’s length limit."],
  ["stopped", {}, "You stopped this answer."],
  ["failed", {}, "This answer was cut off. The text received so far is kept."],
  ["interrupted", {}, "The server was interrupted while writing this answer. The text written so far is kept."],
] as const)("announces the end of an answer whose beginning was announced: %s %o", (state, more, words) => {
  const { container, rerender } = render(status("writing"));
  expect(container.textContent).toBe("The assistant is writing.");
  rerender(status(state, more));
  expect(container.textContent).toBe(words);
});

test("announces nothing for an answer that had already ended", () => {
  expect(render(status("stopped")).container.textContent).toBe("");
});

test("announces that the model is thinking once, and then that it is writing", () => {
  const parts = [{ seq: 0, at: 0, kind: "reasoning", text: "" }];
  const { container, rerender } = render(status("writing", { loading: true, content: "", parts }));
  expect(container.textContent).toBe("Thinking...");
  rerender(status("writing", { parts }));
  expect(container.textContent).toBe("The assistant is writing.");
});

test("announces no end of an answer that waits for a decision, which announces itself", () => {
  const { container, rerender } = render(status("writing"));
  rerender(status("waiting"));
  expect(container.textContent).toBe("");
});
