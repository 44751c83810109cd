import { describe, expect, it } from "vitest";
import { UnreadableChat } from "../foreign-chat.ts";
import { openWebui } from "./open-webui.ts";

const context = { fileIdOf: (key: string) => `id of ${key}`, now: 9000 };
type Fields = Record<string, unknown>;

/** A message of the tree, after `parentId`. */
const message = (id: string, parentId: string | null, content: unknown, more: Fields = {}) => ({
  ...{ id, parentId, childrenIds: [], role: id.startsWith("q") ? "user" : "assistant", content },
  ...{ timestamp: 1_700_000_000, ...more },
});
const bodyOf = (messages: Fields[], currentId: string | null = null) => ({
  ...{ title: "Fjords", models: ["llama3.2:3b"], params: {}, messages: [], timestamp: 1_700_000_000_000 },
  history: { messages: Object.fromEntries(messages.map((one) => [one.id, one])), currentId },
});
const chatOf = (messages: Fields[], more: Fields = {}) => ({
  ...{ id: "c1", user_id: "u", title: "Fjords", chat: bodyOf(messages) },
  ...{ created_at: 1_700_000_000, updated_at: 1_700_000_100, archived: false, pinned: false, folder_id: null },
  ...{ share_id: null, meta: { tags: ["travel"] }, ...more },
});
const convert = (messages: Fields[], more: Fields = {}) => openWebui.convert(chatOf(messages, more), context);

/** The single message that an answer becomes. */
const answer = (content: unknown, more: Fields = {}) => convert([message("a", null, content, more)]).chat.messages[0];

/** The messages as `parent > content`. */
function shapeOf(chat: unknown) {
  const made = openWebui.convert(chat, context).chat.messages;
  const words = new Map<string | null, string>(made.map(({ id, content }) => [id, content]));
  return made.map(({ parent, content }) => `${words.get(parent) ?? "-"} > ${content}`);
}

describe("a chat of Open WebUI's export", () => {
  it("the converter of Open WebUI recognises a chat with and without its wrapper", () => {
    const body = bodyOf([message("q", null, "q")]);
    const line = { messages: [{ role: "user", content: "q", parentId: null, childrenIds: [] }] };
    expect([chatOf([]), body, line, { chat: { messages: [] } }].map(openWebui.recognises)).toEqual(Array(4).fill(true));
    const others = [
      ...[null, [], {}, { chat: {} }, { history: [] }, { mapping: {} }, { chat_messages: [] }],
      { messages: [{ role: "user", content: "q" }] },
      { conversationId: "x", messages: [{ messageId: "m", parentMessageId: "0", text: "q" }] },
    ];
    expect(others.filter(openWebui.recognises)).toEqual([]);
    expect(() => openWebui.convert({ chat: {} }, context)).toThrow(UnreadableChat);
  });

  it("a chat keeps its branches, its facts and its shown end", () => {
    const messages = [
      message("q", null, "q"),
      message("a1", "q", "a1", { model: "gpt-5" }),
      message("a2", "q", "a2", { timestamp: 1_700_000_050 }),
    ];
    const chat = chatOf(messages, { pinned: true, archived: true, folder_id: "f" });
    expect(shapeOf(chat)).toEqual(["- > q", "q > a1", "q > a2"]);
    const { chat: made } = openWebui.convert(chat, context);
    expect(made).toMatchObject({ id: "c1", title: "Fjords", isPinned: true, isArchived: true, folder: "f" });
    expect(made).toMatchObject({ createdAt: 1_700_000_000_000, updatedAt: 1_700_000_100_000 });
    expect(made.messages.map(({ model }) => model)).toEqual([null, "gpt-5", "llama3.2:3b"]);
    expect(made.leaf).toBe(made.messages[2]?.id);
    const shown = openWebui.convert({ ...chat, chat: bodyOf(messages, "a1") }, context).chat;
    expect(shown.leaf).toBe(shown.messages[1]?.id);
  });

  it("a downloaded chat without its wrapper is read with the facts that it has", () => {
    const body = { id: "c2", ...bodyOf([message("q", null, "q")], "q") };
    expect(openWebui.convert(body, context).chat).toMatchObject({ id: "c2", createdAt: 1_700_000_000_000 });
  });

  it("a chat of an early version, without a tree, is a line", () => {
    const messages = [
      { role: "user", content: "q" },
      { id: "a", role: "assistant", content: "a" },
      { id: "a", role: "user", content: "again" },
    ];
    for (const history of [undefined, { messages: {}, currentId: null }, { messages: { x: "broken" } }]) {
      expect(shapeOf({ chat: { messages, history } })).toEqual(["- > q", "q > a", "a > again"]);
    }
  });

  it("a list whose messages name their parents is a tree", () => {
    const messages = [message("q", null, "q"), message("a", "q", "a"), message("a2", "q", "a2")];
    expect(shapeOf({ messages })).toEqual(["- > q", "q > a", "q > a2"]);
  });

  it("the list beside a tree, which repeats its shown branch, is not read", () => {
    const body = { ...bodyOf([message("q", null, "q")]), messages: [{ role: "user", content: "q" }] };
    expect(shapeOf({ chat: body })).toEqual(["- > q"]);
  });

  it("a prompt of the system is hidden, and a message of an unknown role is reported with its words", () => {
    const made = convert([
      message("s", null, "Be brief", { role: "system" }),
      message("q", "s", "q"),
      message("t", "q", "42", { role: "tool" }),
    ]);
    expect(made.chat.messages.map(({ content, parent }) => [content, parent !== null])).toEqual([
      ["q", false],
      ["42", true],
    ]);
    expect(made.fates).toMatchObject({ message: 1, hidden: 1, unreadable: 1 });
  });
});

describe("the text of a message of Open WebUI", () => {
  it("a text is kept as it is, and so is markup that a person or a model has written", () => {
    const markup = '<details type="reasoning" done="true">\n<summary>Thought</summary>\n> Mine\n</details>';
    expect(convert([message("q", null, `Why?\n${markup}`)]).chat.messages[0]).toMatchObject({
      content: `Why?\n${markup}`,
    });
    const fold = "See\n<details><summary>More</summary>secret</details>\n";
    expect(answer(fold)?.content).toBe(fold);
    expect(answer("    indented\n")?.content).toBe("    indented\n");
  });

  it("a message may be a list of texts and pictures", () => {
    const content = [
      { type: "text", text: "What is this?" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AAECAw==" } },
      { type: "input_image", image_url: "/api/v1/files/f1/content" },
      "and this",
    ];
    const made = convert([message("q", null, content)]);
    expect(made.chat.messages[0]?.content).toBe("What is this?\n\nand this");
    expect(made.files).toEqual([
      {
        id: "id of open-webui/c1/q/file/#1",
        name: "image.png",
        type: "image/png",
        size: 4,
        source: { base64: "AAECAw==" },
      },
      expect.objectContaining({ type: "image/png", source: null }),
    ]);
    const unknown = convert([message("q", null, [{ type: "smell", text: "Sea" }])]);
    expect([unknown.chat.messages[0]?.content, unknown.unreadable]).toEqual(["Sea", { "unknown-kind": 1 }]);
  });

  it("an error is kept as text, alone or below what the answer has", () => {
    expect(answer("", { error: { content: "No connection" } })?.content).toBe("No connection");
    expect(answer("Half", { error: { content: "Cut" }, done: true })?.content).toBe("Half\n\nCut");
    expect(answer("The error", { error: true })?.content).toBe("The error");
    expect(answer("", { error: { content: { message: "Inner" } } })?.content).toBe("Inner");
    expect(answer("", { error: "Plain" })?.content).toBe("Plain");
  });

  it("the merged answer of several models is kept", () => {
    expect(answer("One", { merged: { status: true, content: "All" } })?.content).toBe("One\n\nAll");
  });

  it("a file has its bytes, its text or only its name", () => {
    const files = [
      { type: "image", url: "data:image/jpeg;base64,AAEC" },
      { type: "image", url: "8f1c", name: "fjord.png", content_type: "image/png" },
      {
        ...{ type: "file", id: "f1", url: "f1", name: "spec.pdf", size: 9 },
        file: {
          id: "f1",
          filename: "spec.pdf",
          data: { content: "Extracted" },
          meta: { content_type: "application/pdf" },
        },
      },
      { type: "collection", id: "k1", name: "Norway" },
      { type: "image", url: "data:image/png;base64,!!" },
      { type: "file", name: "a.txt", url: "data:text/plain,Hello%20there" },
    ];
    const made = convert([message("q", null, "", { files })]);
    expect(made.files).toMatchObject([
      { name: "image.jpeg", type: "image/jpeg", size: 3, source: { base64: "AAEC" } },
      { name: "fjord.png", type: "image/png", source: null },
      { id: "id of open-webui/file/f1", name: "spec.pdf", source: { text: "Extracted" } },
      { name: "Norway", source: null },
      { type: "image/png", source: null },
      { name: "a.txt", source: { text: "Hello there" } },
    ]);
    expect(made.fates).toMatchObject({ message: 1, hidden: 0 });
  });

  it("pictures with their bytes are taken out of the text of an answer", () => {
    const text = "Here:\n\n![A fjord](data:image/png;base64,AAEC)\n![](data:image/webp;base64,AAEC) and ![b](/b.png)";
    const made = convert([message("q", null, text), message("a", "q", text)]);
    expect(made.chat.messages.map(({ content }) => content.split("\n\n").at(-1))).toEqual([
      ...[text.split("\n\n").at(-1), " and ![b](/b.png)"],
    ]);
    expect(made.files.map(({ name, source }) => [name, source])).toEqual([
      ["A fjord", { base64: "AAEC" }],
      ["image.webp", { base64: "AAEC" }],
    ]);
    const hostile = "![](data:image/png".repeat(100_000);
    expect(answer(hostile)?.content).toBe(hostile.slice(0, 1_000_000));
  });

  it("code that a function has run beside the answer is a call", () => {
    const run = { uuid: "e", name: "Sum", language: "python", code: "1+1", result: { output: "2", files: [] } };
    expect(
      answer("Two", { code_executions: [run, { code: "x", result: { error: "Bad" } }, { code: "y" }] })?.parts,
    ).toMatchObject([
      { kind: "tool", name: "code_interpreter", result: "2", state: "succeeded" },
      { result: "Bad", state: "failed" },
      { state: "unknown" },
    ]);
  });

  it("sources with a web address are kept once each, and documents are not pages", () => {
    const sources = [
      {
        source: { name: "web_search", type: "web_search", urls: ["https://a.example/"] },
        document: ["An inlet", "Deep"],
        metadata: [
          { source: "https://a.example/", title: "A" },
          { source: "https://b.example/", name: "B" },
        ],
      },
      { source: { name: "spec.pdf", id: "f1" }, document: ["x"], metadata: [{ source: "spec.pdf", name: "spec.pdf" }] },
      { source: { name: "C", url: "https://c.example/" }, document: [], metadata: [{}] },
      { source: { name: "https://a.example/" } },
    ];
    const pages = [
      ["A", "https://a.example/"],
      ["B", "https://b.example/"],
      ["C", "https://c.example/"],
    ];
    const annotations = [{ type: "url_citation", url: "https://a.example/", title: "A" }, { type: "file_citation" }];
    const output = [{ type: "message", content: [{ type: "output_text", text: "Deep [1].", annotations }] }];
    for (const more of [{ sources }, { citations: sources }, { sources, output }]) {
      expect(answer("Deep [1].", more)?.parts?.map(({ title, url }) => [title, url])).toEqual(pages);
    }
  });
});

describe("the output of an answer of Open WebUI", () => {
  const words = (text: string) => ({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });

  it("the output wins over the text, which repeats it", () => {
    const output = [
      { type: "reasoning", id: "r", duration: 2.5, summary: [{ type: "summary_text", text: "Hm" }], content: [] },
      { type: "function_call", call_id: "c", name: "weather", arguments: '{"city":"Bergen"}', status: "completed" },
      {
        type: "function_call_output",
        call_id: "c",
        output: [{ type: "input_text", text: "Rain" }],
        status: "completed",
      },
      words("It rains."),
    ];
    const content = '<details type="reasoning" done="true" duration="2">\n&gt; Hm\n</details>\nIt rains.';
    expect(answer(content, { output })).toMatchObject({
      content: "It rains.",
      parts: [
        { kind: "reasoning", text: "Hm", durationMs: 2500 },
        {
          kind: "tool",
          server: "Open WebUI",
          name: "weather",
          arguments: '{"city":"Bergen"}',
          result: "Rain",
          state: "succeeded",
        },
      ],
    });
  });

  it("an output without words takes them from the text", () => {
    const output = [{ type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: "Hm" }] }];
    const content = '<details type="reasoning">\n> Hm\n</details>\nIt rains.';
    expect(answer(content, { output })).toMatchObject({
      content: "It rains.",
      parts: [{ kind: "reasoning", text: "Hm" }],
    });
  });

  it("calls without a result, with pictures, of built-in tools and of code are kept", () => {
    const png = "data:image/png;base64,AAEC";
    const output = [
      { type: "function_call", call_id: "c1", name: "slow", arguments: "{}" },
      { type: "function_call", call_id: "c2", name: "plot", arguments: { x: 1 } },
      {
        type: "function_call_output",
        call_id: "c2",
        output: [{ type: "input_image", image_url: png }],
        files: [{ type: "image", url: png }],
      },
      { type: "web_search_call", id: "w", status: "completed", action: { query: "fjord" } },
      { type: "mcp_call", id: "m", name: "ask", arguments: "{}", error: "Refused" },
      {
        type: "open_webui:code_interpreter",
        lang: "python",
        code: "1",
        output: { stdout: "1\n" },
        status: "completed",
      },
      { type: "image_generation_call", result: "AAEC", output_format: "webp" },
      words("Done"),
    ];
    const made = convert([message("a", null, "Done", { output })]);
    const parts = made.chat.messages[0]?.parts ?? [];
    expect(parts.filter(({ kind }) => kind === "tool")).toMatchObject([
      { name: "slow", state: "unknown" },
      { name: "plot", state: "succeeded", arguments: '{"x":1}', result: "" },
      { name: "web_search", state: "succeeded", arguments: '{"action":{"query":"fjord"}}' },
      { name: "ask", state: "failed", result: "Refused" },
      { name: "code_interpreter", state: "succeeded", arguments: '{"language":"python","code":"1"}', result: "1\n" },
    ]);
    expect(made.files.map(({ name, source }) => [name, source])).toEqual([
      ["image.png", { base64: "AAEC" }],
      ["image.png", { base64: "AAEC" }],
      ["image.webp", { base64: "AAEC" }],
    ]);
  });

  it("an item of an unknown kind is reported, and its words are kept", () => {
    const output = [{ type: "song", content: [{ type: "x", text: "La" }] }, { type: "constructor" }, words("Done")];
    const made = convert([message("a", null, "Done", { output })]);
    expect([made.chat.messages[0]?.content, made.fates.unreadable]).toEqual(["La\n\nDone", 1]);
  });
});

describe("hostile chats in Open WebUI's export", () => {
  const sumOf = (fates: object) => Object.values(fates).reduce((sum, count) => sum + count, 0);

  it("values of other types are read as nothing, and each message has one fate", () => {
    const messages = JSON.parse(`{
      "__proto__": {"id": "__proto__", "parentId": 5, "role": "user", "content": "p"},
      "1": null, "2": [], "3": "words", "5": {"parentId": "__proto__", "role": "user", "content": 4, "timestamp": "x"},
      "6": {"role": 6, "content": "six", "childrenIds": [7, {}, "6"], "files": [1, null, {"file": 2}], "sources": {}},
      "7": {"content": {"a": 1}, "output": [null, 3, {}, {"type": 4}], "error": 5, "sources": [1, {"metadata": [2]}]}
    }`);
    const made = openWebui.convert({ id: 5, chat: { history: { messages, currentId: {} }, models: 4 } }, context);
    expect([sumOf(made.fates), made.unreadable.broken, made.chat.id]).toEqual([7, 3, "5"]);
    expect(made.chat.messages.map(({ content }) => content).sort()).toEqual(["p", "six"]);
  });

  it("cycles and missing parents lose nothing, and a child that only its parent names follows it", () => {
    const { parentId: _, ...child } = message("d", null, "d");
    const messages = [
      ...[message("a", "b", "a"), message("b", "a", "b"), message("q", "nobody", "q", { childrenIds: ["d"] })],
      ...[child, message("x", "x", "x")],
    ];
    const shape = shapeOf(chatOf(messages));
    expect(shape).toContain("q > d");
    expect(shape.flatMap((line) => line.split(" > ")[1]?.split("\n\n")).sort()).toEqual(["a", "b", "d", "q", "x"]);
  });

  it("a chat may be 50,000 messages deep", () => {
    const messages = Array.from({ length: 50_000 }, (_, at) =>
      message(`${at % 2 ? "a" : "q"}${at}`, at === 0 ? null : `${at % 2 ? "q" : "a"}${at - 1}`, "x"),
    );
    expect(convert(messages).chat.messages).toHaveLength(50_000);
  });
});
