import { describe, expect, it } from "vitest";
import type { ConvertedChat } from "./foreign-chat.ts";
import { librechat } from "./librechat/librechat.ts";
import { openWebui } from "./open-webui/open-webui.ts";

const context = { fileIdOf: (key: string) => key, now: 9000 };
type Words = { content: string | undefined; reasoning: unknown[] };

const wordsOf = ({ chat }: ConvertedChat): Words => {
  const message = chat.messages[0];
  const reasoning = (message?.parts ?? []).flatMap(({ kind, text }) => (kind === "reasoning" ? [text] : []));
  return { content: message?.content, reasoning };
};

const services: [string, (text: string, role: "assistant" | "user") => Words][] = [
  [
    "Open WebUI",
    (content, role) =>
      wordsOf(openWebui.convert({ chat: { history: { messages: { a: { id: "a", role, content } } } } }, context)),
  ],
  [
    "LibreChat",
    (text, role) => {
      const messages = [{ messageId: "a", text, isCreatedByUser: role === "user", sender: role }];
      return wordsOf(librechat.convert({ conversationId: "c", messages }, context));
    },
  ],
];

describe.each(services)("reasoning in the text of an answer of %s", (_, convert) => {
  it.each([
    ["<think>\nHm.\n</think>\n\nYes.", "Yes.", ["Hm."]],
    ["<thinking>Hm.</thinking>Yes.", "Yes.", ["Hm."]],
    ["Hm, so.\n</think>\n\nYes.", "Yes.", ["Hm, so."]],
    ["<think>Hm.</think>A `</think>` ends it.", "A `</think>` ends it.", ["Hm."]],
    ["<think>\n\n</think>\n\nYes.", "Yes.", []],
    ["<think>It was cut", "…", ["It was cut"]],
  ])("marked reasoning becomes reasoning: %j", (text, content, reasoning) => {
    expect(convert(text, "assistant")).toEqual({ content, reasoning });
  });

  it.each([
    "```html\n<think>\nHm.\n</think>\n```",
    "Models write `<think>` and `</think>`.",
    "~~~\n</think>\n~~~\nA <think> in a line.",
    "  Two spaces, then words.",
  ])("marks in code, or within a line, stay as they are: %j", (text) => {
    expect(convert(text, "assistant")).toEqual({ content: text, reasoning: [] });
  });

  it("marks that a person has written stay as they are", () => {
    const text = "<think>Hm.</think>Why?";
    expect(convert(text, "user")).toEqual({ content: text, reasoning: [] });
  });
});
