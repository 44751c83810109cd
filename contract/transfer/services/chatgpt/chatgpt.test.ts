import { describe, expect, it } from "vitest";
import { UnreadableChat } from "../foreign-chat.ts";
import { chatgpt } from "./chatgpt.ts";

type Said = Record<string, unknown>;

const context = { fileIdOf: (key: string) => `id of ${key}`, now: 9000 };
const cite = (...fields: string[]) => `\uE200${fields.join("\uE202")}\uE201`;

/** A message, of which each test names what it is about. */
const message = (role: string, content: unknown, more: Said = {}) => ({
  author: { role, name: null, metadata: {} },
  create_time: null,
  content: typeof content === "string" ? { content_type: "text", parts: [content] } : content,
  recipient: "all",
  ...more,
});
const user = (content: unknown, more?: Said) => message("user", content, more);
const assistant = (content: unknown, more?: Said) => message("assistant", content, more);
const tool = (name: string, content: unknown, more?: Said) =>
  message("tool", content, { author: { role: "tool", name, metadata: {} }, ...more });

/** A chat in which each message follows the one before it, as the service exports it. */
function chatOf(messages: unknown[], more: Said = {}) {
  const ids = messages.map((_, at) => `n${at}`);
  const nodes = messages.map((said, at) => {
    const id = `n${at}`;
    const children = at + 1 < ids.length ? [`n${at + 1}`] : [];
    return [id, { id, message: said, parent: at === 0 ? "root" : `n${at - 1}`, children }] as const;
  });
  const root = { id: "root", message: null, parent: null, children: ["n0"] };
  const mapping = { root, ...Object.fromEntries(nodes) };
  return { title: "Fjords", mapping, current_node: ids.at(-1), conversation_id: "c", ...more };
}

const converted = (messages: unknown[], more?: Said) => chatgpt.convert(chatOf(messages, more), context);
/** The answer that nodes after a question become. */
const answerOf = (...nodes: unknown[]) => converted([user("Q"), ...nodes]).chat.messages[1];

describe("a chat of ChatGPT", () => {
  it("keeps the facts that ChatGPT notes of a chat", () => {
    const facts = { create_time: 1_700_000_000.5, update_time: 1_700_000_900, is_archived: true, is_starred: true };
    const slugs = { default_model_slug: "gpt-5", gizmo_id: "g-abc", conversation_template_id: "g-p-123" };
    const { chat } = converted(
      [
        user("Hello", { create_time: 1_700_000_001.25 }),
        assistant("Hi", { metadata: { model_slug: "gpt-5-thinking" } }),
        user("More?"),
        assistant("No"),
      ],
      { ...facts, ...slugs },
    );
    expect(chat).toMatchObject({
      ...{ id: "c", title: "Fjords", createdAt: 1_700_000_000_500, updatedAt: 1_700_000_900_000 },
      ...{ isPinned: true, isArchived: true, folder: "g-p-123", leaf: "m4" },
    });
    expect(chat.messages.map(({ model }) => model)).toEqual([null, "gpt-5-thinking", null, "gpt-5"]);
    expect(chat.messages[0]?.createdAt).toBe(1_700_000_001_250);
  });

  it("reads the first exports of ChatGPT, which have neither metadata nor recipients", () => {
    const said = (role: string, text: string) => ({
      author: { role },
      content: { content_type: "text", parts: [text] },
    });
    const chat = { id: "old", title: null, mapping: { a: { message: said("user", "Hi"), parent: null } } };
    expect(chatgpt.convert(chat, context).chat).toMatchObject({ id: "old", messages: [{ content: "Hi" }] });
  });

  it("recognises a chat of ChatGPT by its mapping only", () => {
    expect(chatgpt.recognises(chatOf([user("Hi")]))).toBe(true);
    const others = [null, 3, "mapping", [], {}, { title: "T" }, { title: "T", mapping: [] }, { mapping: {} }];
    expect(others.filter((other) => chatgpt.recognises(other))).toEqual([]);
    expect(() => chatgpt.convert({ title: "T" }, context)).toThrow(UnreadableChat);
  });

  it("shows the branches of ChatGPT in the order in which a node lists them", () => {
    const node = (id: string, parent: string | null, said: unknown, children: string[]) => ({
      id,
      parent,
      message: said,
      children,
    });
    const mapping = {
      a2: node("a2", "q", assistant("second"), []),
      a1: node("a1", "q", assistant("first"), ["q2"]),
      q: node("q", null, user("Q"), ["a1", "a2"]),
      q2: node("q2", "a1", user("And?"), []),
    };
    const { chat } = chatgpt.convert({ title: "T", mapping, current_node: "a2" }, context);
    expect(chat.messages.map(({ content, parent }) => [content, parent])).toEqual([
      ["Q", null],
      ["first", "m1"],
      ["And?", "m2"],
      ["second", "m1"],
    ]);
    expect(chat.leaf).toBe("m4");
  });

  it("hides system nodes, nodes that ChatGPT hides, and what its memory says", () => {
    const isHidden = { metadata: { is_visually_hidden_from_conversation: true } };
    const { chat, fates } = converted([
      message("system", "You are ChatGPT"),
      user("Rules", isHidden),
      user("Q"),
      assistant({ content_type: "model_editable_context", model_set_context: "likes tea" }),
      tool("file_search", { content_type: "tether_browsing_display", result: "spinner" }, isHidden),
      assistant("A"),
    ]);
    expect(chat.messages.map(({ content }) => content)).toEqual(["Q", "A"]);
    expect(fates).toEqual({ message: 2, part: 0, file: 0, hidden: 5, unreadable: 0 });
  });

  it("offers the custom instructions of ChatGPT and imports them as no message", () => {
    const framed = {
      content_type: "user_editable_context",
      user_profile: "The user provided this about themselves.\nUser profile:\n```I sail```",
      user_instructions: "Answer so:\n```Be brief```",
    };
    expect(converted([user(framed), user("Q")])).toMatchObject({
      instructions: "I sail\n\nBe brief",
      chat: { messages: [{ content: "Q" }], instructions: "" },
    });
    const said = { user_context_message_data: { about_user_message: "I row", about_model_message: "" } };
    expect(converted([user(framed, { metadata: said }), user("Q")]).instructions).toBe("I row\n\nBe brief");
    expect(converted([user("Q")]).instructions).toBeUndefined();
  });
});

describe("the kinds of content of ChatGPT", () => {
  it("keeps what a person wrote as it is", () => {
    const words = `  Is 【12†source】 or ${cite("cite", "turn0search0")}\n\`code\` `;
    expect(converted([user(words)]).chat.messages[0]?.content).toBe(words);
  });

  it("shows a program in an answer as a block with its language", () => {
    const program = (text: string, language: string) => assistant({ content_type: "code", language, text });
    expect(answerOf(program("print(1)", "python"))?.content).toBe("```python\nprint(1)\n```");
    expect(answerOf(program("a\n```\nb", "unknown"))?.content).toBe("````\na\n```\nb\n````");
  });

  it("connects a call of a tool with its result", () => {
    const call = { content_type: "code", language: "unknown", text: '{"q":"fjords"}' };
    const failed = { metadata: { aggregate_result: { status: "failed_with_in_kernel_exception" } } };
    const answer = answerOf(
      assistant("I search."),
      assistant(call, { recipient: "file_search.msearch" }),
      tool("file_search", "Found"),
      assistant({ content_type: "code", language: "python", text: "1/0" }, { recipient: "python" }),
      tool("python", { content_type: "execution_output", text: "ZeroDivisionError" }, failed),
      assistant("Done."),
    );
    expect(answer).toMatchObject({
      content: "I search.\n\nDone.",
      parts: [
        { name: "file_search.msearch", call: "n2", arguments: '{"q":"fjords"}', state: "succeeded", result: "Found" },
        { name: "python", call: "n4", arguments: "1/0", state: "failed", result: "ZeroDivisionError" },
      ],
    });
    expect(answer?.parts).toHaveLength(2);
  });

  it("connects each of two open calls of ChatGPT with a result of its tool", () => {
    const calls = ["web.run", "python"].map((recipient) => assistant("{}", { recipient }));
    const parts = answerOf(...calls, tool("web", "page"), tool("python", "1"), tool("python", "2"))?.parts;
    expect(parts?.map(({ name, result }) => [name, result])).toEqual([
      ...[
        ["web.run", "page"],
        ["python", "1"],
        ["python", "2"],
      ],
    ]);
  });

  it("answers calls of one tool of ChatGPT in their order, and each once", () => {
    const call = (q: string) => assistant(q, { recipient: "web.run" });
    const resultsOf = (...nodes: unknown[]) => answerOf(...nodes)?.parts?.map((part) => [part.arguments, part.result]);
    expect(resultsOf(call("1"), call("2"), tool("web.run", "one"), tool("web.run", "two"))).toEqual([
      ...[
        ["1", "one"],
        ["2", "two"],
      ],
    ]);
    expect(resultsOf(call("1"), assistant("Hm"), call("2"), tool("web.run", "two"), tool("web.run", "more"))).toEqual([
      ...[
        ["1", ""],
        ["2", "two"],
        ["{}", "more"],
      ],
    ]);
  });

  it("keeps a picture of ChatGPT behind the call that asked for it", () => {
    const picture = { content_type: "image_asset_pointer", asset_pointer: "file-service://file-x", size_bytes: 3 };
    const made = { content_type: "multimodal_text", parts: [picture] };
    const call = assistant({ content_type: "text", parts: ['{"prompt":"a fjord"}'] }, { recipient: "dalle.text2im" });
    const { chat, fates, files } = converted([user("Draw"), call, tool("dalle.text2im", made), assistant("Here.")]);
    expect(chat.messages[1]).toMatchObject({
      content: "Here.",
      parts: [
        { name: "dalle.text2im", arguments: '{"prompt":"a fjord"}', state: "succeeded", result: "" },
        { kind: "file", id: "id of chatgpt/file-x" },
      ],
    });
    expect(files.map(({ source }) => source)).toEqual([{ entry: "file-x" }]);
    expect(fates).toEqual({ message: 2, part: 1, file: 1, hidden: 1, unreadable: 0 });
  });

  it("asks nobody to decide about a call of which ChatGPT has no result", () => {
    const [call] = answerOf(assistant("{}", { recipient: "bio" }))?.parts ?? [];
    expect(call).toMatchObject({ name: "bio", state: "unknown", result: "" });
  });

  it("keeps a document of the canvas as the call that wrote it", () => {
    const document = JSON.stringify({ name: "plan", type: "document", content: "# Plan" });
    const call = assistant(
      { content_type: "code", language: "json", text: document },
      { recipient: "canmore.create_textdoc" },
    );
    expect(answerOf(call, tool("canmore.create_textdoc", "Created 'plan'"))?.parts).toMatchObject([
      { name: "canmore.create_textdoc", arguments: document, result: "Created 'plan'" },
    ]);
  });

  it("keeps what each tool of ChatGPT returns", () => {
    const quote = { url: "https://a.example/", domain: "a.example", title: "A", text: "Quoted" };
    const results = [
      { content_type: "tether_quote", ...quote },
      { content_type: "sonic_webpage", ...quote },
      { content_type: "tether_browsing_display", result: "# Page", summary: "Short" },
      { content_type: "system_error", name: "Timeout", text: "took too long" },
      { content_type: "computer_output", state: { title: "Shop", url: "https://b.example/" }, screenshot: null },
      { content_type: "citable_code_output", output_str: "{}" },
    ].map((content) => answerOf(tool("browser", content))?.parts?.map(({ state, result }) => [state, result]));
    expect(results).toEqual([
      [["succeeded", "A\nhttps://a.example/\nQuoted"]],
      [["succeeded", "A\nhttps://a.example/\nQuoted"]],
      [["succeeded", "# Page\n\nShort"]],
      [["failed", "Timeout: took too long"]],
      [["succeeded", "Shop\nhttps://b.example/"]],
      [["succeeded", "{}"]],
    ]);
  });

  it("keeps thoughts of ChatGPT with the time that their recap names", () => {
    const thoughts = [
      { summary: "Weighing", content: "Deep or steep?" },
      { summary: "", content: "Steep." },
    ];
    const thought = assistant({ content_type: "thoughts", thoughts });
    const recap = (content: string, metadata: Said = {}) =>
      assistant({ content_type: "reasoning_recap", content }, { metadata });
    const reasoning = { kind: "reasoning", text: "**Weighing**\n\nDeep or steep?\n\nSteep." };
    const partsOf = (...nodes: unknown[]) => answerOf(...nodes, assistant("Steep"))?.parts;
    expect(partsOf(thought, recap("Thought for 12 seconds"))).toEqual([
      { ...reasoning, seq: 0, at: 0, durationMs: 12_000 },
    ]);
    expect(partsOf(thought, recap("Thought for 1m 5s"))).toMatchObject([{ ...reasoning, durationMs: 65_000 }]);
    const noted = recap("8초 동안 생각함", { finished_duration_sec: 8 });
    expect(partsOf(thought, noted)).toMatchObject([{ ...reasoning, durationMs: 8000 }]);
    const vague = recap("Thought for a couple of seconds");
    expect(partsOf(thought, vague)).toMatchObject([reasoning, { text: "Thought for a couple of seconds" }]);
    expect(partsOf(recap("Thought for 3s"))).toMatchObject([{ text: "Thought for 3s", durationMs: 3000 }]);
  });

  it("keeps the analysis of an answer as reasoning", () => {
    const answer = answerOf(assistant("Hm.", { channel: "analysis" }), assistant("So.", { channel: "final" }));
    expect(answer).toMatchObject({ content: "So.", parts: [{ kind: "reasoning", text: "Hm." }] });
  });
});

describe("unreadable nodes of ChatGPT", () => {
  it("keeps the visible text of an unknown kind of content, and reports the node", () => {
    const { chat, fates, unreadable } = converted([
      user("Q"),
      assistant({
        content_type: "hologram",
        text: "seen",
        parts: ["also", 3, { content_type: "smell" }],
        result: "and so",
      }),
      user({ content_type: "multimodal_text", parts: ["look", { content_type: "smell_pointer", scent: "tar" }] }),
    ]);
    expect(chat.messages.map(({ content }) => content)).toEqual(["Q", "also\n\nseen\n\nand so", "look"]);
    expect(unreadable).toEqual({ "unknown-kind": 2 });
    expect(fates).toEqual({ message: 1, part: 0, file: 0, hidden: 1, unreadable: 2 });
  });

  it("reports nodes of ChatGPT that are broken", () => {
    const { chat, unreadable } = converted([
      user("Q"),
      "text",
      3,
      {},
      assistant(undefined),
      assistant({ parts: 3 }),
      user("R"),
    ]);
    expect(chat.messages.map(({ content }) => content)).toEqual(["Q", "R"]);
    expect(unreadable).toEqual({ broken: 5 });
    const mapping = { a: null, b: "node", c: [], d: { message: null } };
    expect(chatgpt.convert({ title: "T", mapping }, context)).toMatchObject({
      unreadable: { broken: 3 },
      fates: { hidden: 1 },
    });
  });
});
