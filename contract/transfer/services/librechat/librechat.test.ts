import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exportedChatSchema } from "../../transfer.ts";
import { type ConvertedChat, UnreadableChat } from "../foreign-chat.ts";
import { librechat } from "./librechat.ts";

type Values = Record<string, unknown>;

const ZEROS = "00000000-0000-0000-0000-000000000000";
const context = { fileIdOf: (key: string) => `id of ${key}`, now: Date.UTC(2030, 0) };

type Message = Values & { messageId: string; parentMessageId: unknown };

const message = (messageId: string, parentMessageId: unknown, more: Values = {}): Message => ({
  ...{ messageId, parentMessageId, sender: "GPT-5", isCreatedByUser: false, text: messageId, model: "gpt-5" },
  ...more,
});
const question = (id: string, parent: unknown, more: Values = {}) =>
  message(id, parent, { sender: "User", isCreatedByUser: true, model: null, ...more });
const chatOf = (messages: unknown, more: Values = {}) => ({
  ...{ conversationId: "c", title: "Fjords", endpoint: "openAI", options: { model: "gpt-4o" }, branches: true },
  ...{ recursive: false, messages, ...more },
});
const convert = (messages: unknown, more?: Values) => librechat.convert(chatOf(messages, more), context);
/** The messages as `parent > content`. */
const shapeOf = ({ chat }: ConvertedChat) => {
  const words = new Map<string | null, string>(chat.messages.map(({ id, content }) => [id, content]));
  return chat.messages.map(({ parent, content }) => `${words.get(parent) ?? "-"} > ${content}`);
};
const answerOf = (more: Values) =>
  convert([question("q", ZEROS), message("a", "q", { text: "", ...more })]).chat.messages[1];

const branches = ["- > q", "q > a", "a > q2", "q > b"];

describe("a conversation of LibreChat", () => {
  it("keeps the branches of a list, whose messages name their parents", () => {
    const list = [question("q", ZEROS), message("a", "q"), message("b", "q"), question("q2", "a")];
    expect(shapeOf(convert(list))).toEqual(branches);
  });

  it("keeps the branches of a recursive export under each of its names", () => {
    const children = [message("a", "q", { children: [question("q2", "a", { children: [] })] }), message("b", "q")];
    const tree = [question("q", null, { children })];
    expect(shapeOf(convert(tree, { recursive: true }))).toEqual(branches);
    expect(shapeOf(convert(undefined, { recursive: true, messagesTree: tree }))).toEqual(branches);
    const unnamed = JSON.parse(JSON.stringify(tree), (key, value) => (key === "parentMessageId" ? undefined : value));
    expect(shapeOf(convert(unnamed))).toEqual(branches);
  });

  it("a conversation is one line if no message names another", () => {
    const list = ["a", "b", "c"].map((id, at) => (at === 1 ? message : question)(id, undefined));
    expect(shapeOf(convert(list))).toEqual(["- > a", "a > b", "b > c"]);
  });

  it("keeps times and models of LibreChat, and the model of the conversation where a message names none", () => {
    const { chat } = convert([
      question("q", ZEROS, { createdAt: "2024-05-28T18:08:55.014Z" }),
      message("a", "q", { createdAt: "2024-05-28T18:09:00.000Z", model: null }),
      question("q2", "a"),
      message("b", "q2", { model: "claude" }),
    ]);
    expect(chat).toMatchObject({
      id: "c",
      title: "Fjords",
      createdAt: Date.parse("2024-05-28T18:08:55.014Z"),
      leaf: "m4",
    });
    expect(chat.messages.map(({ model }) => model)).toEqual([null, "gpt-4o", null, "claude"]);
    expect(chat.messages[1]?.createdAt).toBe(Date.parse("2024-05-28T18:09:00.000Z"));
  });

  it("recognises conversations of LibreChat and chats of Chatbot UI", () => {
    const ui = { id: "u", name: "Chat", messages: [{ role: "user", content: "Hi" }] };
    const known = [chatOf([]), { conversationId: 7, messagesTree: [] }, ui, { ...ui, messages: [], folderId: null }];
    expect(known.map((chat) => librechat.recognises(chat))).toEqual([true, true, true, true]);
    const others = [null, [], {}, { messages: [] }, { conversationId: "c" }, { id: "u", name: "N", messages: [] }];
    const services = [
      { mapping: {}, title: "T" },
      { uuid: "u", name: "T", chat_messages: [] },
      { id: "x", chat: {}, title: "T" },
    ];
    expect([...others, ...services].filter((chat) => librechat.recognises(chat))).toEqual([]);
    expect(() => librechat.convert({}, context)).toThrow(UnreadableChat);
  });
});

describe("the contents of LibreChat", () => {
  it("keeps text, thoughts, calls and errors, and prefers them to the text that repeats them", () => {
    const content = [
      { type: "think", think: "Hm." },
      { type: "text", text: { value: "I look.", annotations: [] } },
      { type: "tool_call", tool_call: { id: "t", name: "search", args: { q: "x" }, output: "Found" } },
      {
        type: "tool_call",
        tool_call: { id: "f", type: "function", function: { name: "run", arguments: "{}", output: null } },
      },
      { type: "agent_update", agent_update: { agentId: "x" } },
      { type: "text", text: "Done." },
      { type: "error", error: "Stopped" },
    ];
    expect(answerOf({ content, text: "I look.Done." })).toMatchObject({
      content: "I look.\n\nDone.\n\nStopped",
      parts: [
        { kind: "reasoning", text: "Hm." },
        { kind: "tool", name: "search", call: "t", arguments: '{"q":"x"}', state: "succeeded", result: "Found" },
        { kind: "tool", name: "run", state: "unknown", result: "" },
      ],
    });
  });

  it("keeps the text of an answer whose contents have none", () => {
    const content = [{ type: "tool_call", tool_call: { name: "search", args: "{}", output: "x" } }];
    expect(answerOf({ content, text: "The answer" })?.content).toBe("The answer");
  });

  it("reads reasoning that older versions wrote into the text", () => {
    expect(answerOf({ text: ":::thinking\nHm.\n:::\nYes." })).toMatchObject({
      content: "Yes.",
      parts: [{ text: "Hm." }],
    });
    const asked = question("q", ZEROS, { text: ":::thinking\nHm.\n:::\nYes." });
    expect(convert([asked]).chat.messages[0]?.content).toBe(asked.text);
  });

  it("names files, whose bytes LibreChat does not export", () => {
    const files = [{ file_id: "f1", filename: "a.pdf", type: "application/pdf", bytes: 9 }, { file_id: "f1" }, 3];
    const content = [
      { type: "text", text: "Look" },
      {
        type: "image_file",
        image_file: { file_id: "f2", filename: "b.png", filepath: "/images/b.png", type: "image/png", bytes: 4 },
      },
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
    ];
    const { files: found } = convert([question("q", ZEROS, { files, content })]);
    expect(found).toEqual([
      { id: "id of librechat/f2", name: "b.png", type: "image/png", size: 4, source: null },
      { id: "id of librechat/q/1", name: "", type: "image/png", size: 3, source: { base64: "AAAA" } },
      { id: "id of librechat/f1", name: "a.pdf", type: "application/pdf", size: 9, source: null },
    ]);
  });

  it("turns the marks of a search into its pages", () => {
    const organic = [
      { link: "https://a.example/", title: "A" },
      { link: "https://b.example/", title: "B" },
    ];
    const attachments = [{ type: "web_search", web_search: { turn: 1, organic } }];
    const sources = [
      { kind: "source", url: "https://b.example/", title: "B" },
      { kind: "source", url: "https://a.example/", title: "A" },
    ];
    const marks = ["\uE202turn1search1 \uE202turn1search0", "\uE200\uE202turn1search1\uE202turn1search0\uE201"];
    for (const mark of [...marks, "\\ue202turn1search1\\ue202turn1search0"]) {
      expect(answerOf({ text: `It rains ${mark}.`, attachments })).toMatchObject({
        content: "It rains.",
        parts: sources,
      });
    }
  });

  it("reports contents of an unknown kind and broken messages of LibreChat", () => {
    const content = [
      { type: "smell", text: "tar" },
      { type: "text", text: "Ahoy" },
    ];
    const list = [
      question("q", ZEROS),
      message("a", "q", { content }),
      null,
      3,
      { messageId: "x", text: "lost" },
      { sender: "User" },
    ];
    const converted = convert(list);
    expect(converted.unreadable).toEqual({ "unknown-kind": 1, broken: 4 });
    expect(converted.chat.messages.map((made) => made.content)).toEqual(["q", "tar\n\nAhoy", "lost"]);
  });
});

describe("a chat of Chatbot UI", () => {
  it("a chat of Chatbot UI is a line of messages with the model of the chat", () => {
    const messages = [
      { role: "system", content: "Rules" },
      { role: "user", type: "text", content: "Hi" },
      { role: "assistant", content: [{ type: "text", text: "Hello" }] },
    ];
    const chat = { id: 4, name: "Greeting", messages, model: { id: "gpt-4", name: "GPT-4" }, folderId: "f" };
    const converted = librechat.convert(chat, context);
    expect(converted.chat).toMatchObject({ id: "4", title: "Greeting", folder: "f", leaf: "m2" });
    expect(shapeOf(converted)).toEqual(["- > Hi", "Hi > Hello"]);
    expect(converted.chat.messages.map(({ model }) => model)).toEqual([null, "gpt-4"]);
    expect(converted.fates).toEqual({ message: 2, part: 0, file: 0, hidden: 1, unreadable: 0 });
  });

  it("an artifact of LibreChat is its title and what is in it", () => {
    const text = 'Here:\n\n:::artifact{identifier="a" type="text/html" title="Fjord"}\n```html\n<p>:::</p>\n```\n:::\n';
    const { chat } = convert([message("a", ZEROS, { text })]);
    expect(chat.messages[0]?.content).toBe("Here:\n\n\n**Fjord**\n\n```html\n<p>:::</p>\n```\n");
  });
});

describe("generated conversations of LibreChat", () => {
  const shapes = fc.array(fc.record({ above: fc.nat(), kind: fc.nat({ max: 5 }), isUser: fc.boolean() }), {
    minLength: 1,
    maxLength: 30,
  });
  const contentOf = (kind: number, at: number): Values => {
    const call = { name: "search", args: `Ask ${at}.`, output: `Found ${at}.` };
    return [
      { text: `Text ${at}.` },
      { text: `<think>\nThink ${at}.\n</think>\n\nText ${at}.` },
      { text: "", content: [{ type: "text", text: `Text ${at}.` }] },
      {
        text: `Text ${at}.`,
        content: [
          { type: "think", think: `Think ${at}.` },
          { type: "text", text: `Text ${at}.` },
        ],
      },
      {
        content: [
          { type: "tool_call", tool_call: call },
          { type: "text", text: `Text ${at}.` },
        ],
      },
      {
        content: [
          { type: "smell", text: `Text ${at}.` },
          { type: "error", error: { value: `Fault ${at}.` } },
        ],
      },
    ][kind] as Values;
  };
  const wordsIn = (value: unknown) => new Set(JSON.stringify(value).match(/[A-Z][a-z]+ \d+\./g) ?? []);

  it("loses no word and no branch of a generated conversation, and counts each message once", () => {
    const property = fc.property(shapes, fc.boolean(), (list, isRecursive) => {
      const made = list.map(({ above, kind, isUser }, at) => {
        const parent = at === 0 ? ZEROS : `n${above % at}`;
        return (isUser ? question : message)(`n${at}`, parent, { ...contentOf(kind, at), children: [] });
      });
      const nested = made.filter((one) => {
        const above = made.find(({ messageId }) => messageId === one.parentMessageId);
        (above?.children as unknown[] | undefined)?.push(one);
        return !above;
      });
      const flat = made.map((one) => ({ ...one, children: undefined }));
      const converted = convert(isRecursive ? nested : flat, { recursive: isRecursive });
      const { messages } = converted.chat;
      expect(wordsIn(messages)).toEqual(wordsIn(flat));
      expect((JSON.stringify(messages).match(/Text \d+\./g) ?? []).length).toBe(list.length);
      expect(Object.values(converted.fates).reduce((sum, count) => sum + count, 0)).toBe(list.length);
      expect(exportedChatSchema.safeParse(converted.chat).success).toBe(true);
      const owner = (at: string) => messages.find(({ content }) => content.split("\n\n").includes(`Text ${at}.`));
      for (const { messageId, parentMessageId } of made) {
        const one = owner(messageId.slice(1));
        const above = owner(String(parentMessageId).slice(1));
        expect(one === above ? one?.role : one?.parent).toBe(one === above ? "assistant" : (above?.id ?? null));
      }
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it("values of any type in messages of LibreChat never throw", () => {
    const keys = [
      "text",
      "content",
      "type",
      "tool_call",
      "think",
      "children",
      "files",
      "attachments",
      "sender",
      "web_search",
    ];
    const names = fc.constantFrom(
      ...keys,
      "messageId",
      "parentMessageId",
      "isCreatedByUser",
      "organic",
      "image_url",
      "error",
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom("text", "tool_call", "a", null, true),
        fc.double(),
        tie("list"),
        tie("record"),
      ),
      list: fc.array(tie("value"), { maxLength: 3 }),
      record: fc.dictionary(names, tie("value"), { maxKeys: 6 }),
    }));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 4 }), (messages) => {
        const { fates } = convert(messages);
        expect(Object.values(fates).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(messages.length);
      }),
      { numRuns: 1000 },
    );
  });

  it("a conversation that is nested 50,000 deep is converted", () => {
    let tree: Values = question("last", null);
    for (let at = 0; at < 50_000; at++) tree = question(`n${at}`, null, { children: [tree] });
    expect(convert([tree], { recursive: true }).chat.messages).toHaveLength(50_001);
  });
});
