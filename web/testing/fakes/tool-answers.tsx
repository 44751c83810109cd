/** Shows an answer with calls of tools, as the page of a chat does. */

import { act, render } from "@testing-library/react";
import { vi } from "vitest";
import type { ToolPart } from "#contract/conversation/known-parts.ts";
import type { ClientMessage } from "../../chats/state/chats-state.ts";
import { AnswerWords } from "../../message/answer-words.tsx";
import { MessageContext, type MessageContextValue } from "../../message/message-context.ts";
import { useShownParts } from "../../message/parts/parts-module.tsx";
import { Store } from "../../store/store.ts";
import "../english-texts.ts";

export const toolCall = (seq: number, more: Partial<ToolPart> = {}): ToolPart => ({
  ...{ seq, at: 0, kind: "tool", server: "shop", name: "buy", call: `c${seq}`, step: 0, state: "succeeded" },
  ...{ arguments: '{"item":"tea"}', digest: `d${seq}` },
  ...more,
});

export const answerWith = (parts: ToolPart[], more: Partial<ClientMessage> = {}): ClientMessage => ({
  ...{ key: "m", id: "r1", role: "assistant", content: "Done.", state: "complete", loading: false, parts },
  ...more,
});

export const waitingAnswer = (parts: ToolPart[]) => answerWith(parts, { state: "waiting", content: "" });

function Answer({ message }: { message: ClientMessage }) {
  return <AnswerWords message={message} parts={useShownParts(message)} />;
}

/** `formDraft`: of the chat, which outlives its page. */
type Shown = Partial<Pick<MessageContextValue, "formDraft">>;

export async function showAnswer(
  message: ClientMessage,
  decide: MessageContextValue["decide"] = async () => null,
  shownWith: Shown = {},
) {
  const values = new Map<object, unknown>();
  const memory: MessageContextValue["memory"] = {
    get<T>(key: { readonly create: () => T }): T {
      if (!values.has(key)) values.set(key, key.create());
      return values.get(key) as T;
    },
  };
  const context = { chat: "a", models: { state: new Store({ groups: [] }) }, memory, decide, ...shownWith };
  const element = (now: ClientMessage) => (
    <MessageContext value={context}>
      <Answer message={now} />
    </MessageContext>
  );
  const shown = render(element(message));
  await act(async () => {});
  return { ...shown, update: (next: ClientMessage) => shown.rerender(element(next)) };
}

/** Boxes that watch their size need this where no page is laid out. */
export const stubResizeObserver = () =>
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
