import { describe, expect, it } from "vitest";
import { UnreadableChat } from "../foreign-chat.ts";
import { claude } from "./claude.ts";

const ROOT = "00000000-0000-4000-8000-000000000000";
const context = { fileIdOf: (key: string) => `id of ${key}`, now: 9000 };
type Fields = Record<string, unknown>;

const chatOf = (messages: unknown[], more: Fields = {}) => ({
  ...{ uuid: "c1", name: "Fjords", summary: "", account: { uuid: "a" } },
  ...{ created_at: "2026-03-29T07:06:34.084721Z", updated_at: "2026-03-29T12:59:41.658730Z" },
  chat_messages: messages,
  ...more,
});
const convert = (messages: unknown[], more: Fields = {}) => claude.convert(chatOf(messages, more), context);

/** A message of the newer form, after `parent`. */
const message = (uuid: string, parent: string, content: unknown[], more: Fields = {}) => ({
  ...{ uuid, sender: uuid.startsWith("q") ? "human" : "assistant", text: "", content },
  ...{ created_at: "2026-03-29T07:06:35Z", attachments: [], files: [], parent_message_uuid: parent },
  ...more,
});
const text = (words: string, more: Fields = {}) => ({ type: "text", text: words, citations: [], ...more });

/** The messages as `parent > content`. */
function shapeOf(messages: unknown[]) {
  const made = convert(messages).chat.messages;
  const words = new Map<string | null, string>(made.map(({ id, content }) => [id, content]));
  return made.map(({ parent, content }) => `${words.get(parent) ?? "-"} > ${content}`);
}

/** The single message that an answer with `blocks` becomes. */
const answer = (blocks: unknown[], more: Fields = {}) => convert([message("a", ROOT, blocks, more)]).chat.messages[0];

describe("a chat of Claude's export", () => {
  it("the converter of Claude recognises a chat by its list of messages", () => {
    expect([chatOf([]), { chat_messages: [] }].map(claude.recognises)).toEqual([true, true]);
    const others = [null, [], "chat_messages", { mapping: {} }, { chat_messages: {} }, { messages: [] }];
    expect(others.some(claude.recognises)).toBe(false);
    expect(() => claude.convert({ mapping: {} }, context)).toThrow(UnreadableChat);
  });

  it("a chat of the oldest form, with only text and without parents, is a line", () => {
    const old = ["q1", "a1", "q2", "a2"].map((uuid, at) => {
      const created_at = `2023-08-0${at + 1}T00:00:00Z`;
      return { uuid, text: uuid, sender: uuid.startsWith("q") ? "human" : "assistant", created_at };
    });
    expect(shapeOf(old)).toEqual(["- > q1", "q1 > a1", "a1 > q2", "q2 > a2"]);
    const unlinked = old.map((one) => ({ ...one, parent_message_uuid: null }));
    expect(shapeOf(unlinked)).toEqual(shapeOf(old));
    const { chat } = convert(old);
    expect(chat.messages.map(({ role, model }) => [role, model])).toEqual([
      ["user", null],
      ["assistant", null],
      ["user", null],
      ["assistant", null],
    ]);
    expect(chat.messages[1]?.createdAt).toBe(Date.UTC(2023, 7, 2));
  });

  it("a chat of the newer form keeps its branches, its facts and its shown end", () => {
    const messages = [
      message("q", ROOT, [text("q")]),
      message("a1", "q", [text("a1")], { created_at: "2026-03-29T07:08:00Z" }),
      message("a2", "q", [text("a2")]),
      message("q'", ROOT, [text("another beginning")]),
    ];
    expect(shapeOf(messages)).toEqual(["- > q", "q > a1", "q > a2", "- > another beginning"]);
    const { chat } = convert(messages, { is_starred: true, project: { uuid: "p", name: "Trip" } });
    expect(chat).toMatchObject({ id: "c1", title: "Fjords", isPinned: true, isArchived: false, folder: "p" });
    expect(chat).toMatchObject({
      createdAt: Date.UTC(2026, 2, 29, 7, 6, 34, 84),
      origin: { service: "claude", id: "c1" },
    });
    expect(chat.leaf).toBe(chat.messages[1]?.id);
    const shown = (leaf: string) => convert(messages, { current_leaf_message_uuid: leaf }).chat.leaf;
    expect([shown("a2"), shown("unknown")]).toEqual([chat.messages[2]?.id, chat.messages[1]?.id]);
    for (const created_at of [null, "2026-03-29T07:06:35Z"]) {
      const even = convert(messages.slice(0, 3).map((one) => ({ ...one, created_at }))).chat;
      expect(even.leaf).toBe(even.messages[2]?.id);
    }
    expect(convert(messages, { project_uuid: "p2" }).chat.folder).toBe("p2");
  });

  it("the project and the star of a chat are optional", () => {
    expect(convert([], { project: null, is_starred: false }).chat).toMatchObject({ folder: null, isPinned: false });
  });

  it("a message without a parent follows the one before it, also in a chat that was continued later", () => {
    const early = { uuid: "q0", sender: "human", text: "q0" };
    expect(shapeOf([early, { uuid: "a0", sender: "assistant", text: "a0" }, message("q", "a0", [text("q")])])).toEqual([
      ...["- > q0", "q0 > a0", "a0 > q"],
    ]);
    expect(shapeOf([early, { ...early, text: "again" }, { uuid: "x", sender: "human", text: "x" }])).toEqual([
      ...["- > q0", "q0 > again", "again > x"],
    ]);
  });
});

describe("what a message of Claude says", () => {
  it("content is read, and text, which repeats it, only where content has no words", () => {
    expect(answer([text("words")], { text: "words" })?.content).toBe("words");
    expect(answer([], { text: "only here" })?.content).toBe("only here");
    expect(answer([text(" ")], { text: "only here" })?.content).toBe("only here");
    expect(answer([text("\n\nOne\n\n"), text(" "), text("\n\n    two\n")])?.content).toBe("One\n\n\n\n    two");
    expect(convert([message("q", ROOT, [text("\nas typed\n")])]).chat.messages[0]?.content).toBe("\nas typed\n");
    const call = { type: "tool_use", id: "t", name: "artifacts", input: {} };
    const unsupported = " ```\nThis block is not supported on your current device yet.\n``` ";
    expect(answer([call], { text: unsupported })?.content).toBe("");
    expect(answer([{ type: "thinking", thinking: "Hm." }], { text: "Hm." })).toMatchObject({ content: "…" });
  });

  it("reasoning keeps its duration, and its summaries where the reasoning itself is missing", () => {
    const thinking = { type: "thinking", thinking: "Let me see.", summaries: [{ summary: "Seeing" }], cut_off: false };
    const times = { start_timestamp: "2026-03-29T07:06:35.500Z", stop_timestamp: "2026-03-29T07:06:37.000Z" };
    expect(answer([{ ...thinking, ...times }, text("Yes.")])?.parts).toEqual([
      { seq: 0, at: 0, kind: "reasoning", text: "Let me see.", durationMs: 1500 },
    ]);
    expect(answer([{ ...thinking, thinking: "" }, text("Yes.")])?.parts).toMatchObject([{ text: "Seeing" }]);
  });

  it("a call of a tool, such as an artifact, keeps its input, its result and its failure", () => {
    const input = { id: "fjord", type: "text/markdown", content: "# Fjord" };
    const blocks = [
      { type: "tool_use", id: "t1", name: "artifacts", input, message: "Creating" },
      { type: "tool_result", tool_use_id: "t1", name: "artifacts", content: [{ type: "text", text: "OK" }] },
      text("Done."),
      { type: "tool_use", id: "t2", name: "repl", input: { code: "1/0" } },
      { type: "tool_result", tool_use_id: "t2", name: "repl", content: "Division by zero", is_error: true },
      { type: "tool_use", id: "t3", name: "end", input: {} },
    ];
    expect(answer(blocks)?.parts).toMatchObject([
      { kind: "tool", server: "Claude", name: "artifacts", arguments: JSON.stringify(input), result: "OK", at: 0 },
      { kind: "tool", name: "repl", state: "failed", result: "Division by zero", at: 5 },
      { kind: "tool", name: "end", state: "unknown", arguments: "{}" },
    ]);
  });

  it("a result may have found pages, files, other values or only a message", () => {
    const result = (content: unknown, more: Fields = {}) =>
      answer([{ type: "tool_result", name: "find", tool_use_id: "t", content, ...more }])?.parts;
    const page = { type: "knowledge", title: "Fjord", url: "https://a.example/", text: "An inlet" };
    expect(result([page])).toMatchObject([{ result: "Fjord\nhttps://a.example/\nAn inlet", state: "succeeded" }]);
    expect(result([{ type: "rag_reference", uri: "1L8" }])?.[0]?.result).toContain("1L8");
    const made = { type: "local_resource", file_path: "/out/map.png", name: "map", mime_type: "image/png", uuid: "f" };
    expect(result([made])).toMatchObject([
      { kind: "tool", result: "/out/map.png" },
      { kind: "file", id: "id of claude/file/f", name: "map", type: "image/png" },
    ]);
    expect(result([], { structured_content: { a: 1 } })).toMatchObject([{ result: '{"a":1}' }]);
    expect(result(null, { message: "Searched" })).toMatchObject([{ result: "Searched" }]);
  });

  it("the citations of a text become sources, with the titles of the pages that a tool has found", () => {
    const found = { type: "knowledge", title: "Fjord", url: "https://a.example/", text: "" };
    const details = { type: "web_search_citation", url: "https://a.example/" };
    const citations = [
      { uuid: "1", start_index: 0, end_index: 4, details },
      { url: "https://b.example/", title: "B" },
      { url: "javascript:alert(1)", title: "no page" },
      null,
    ];
    const blocks = [{ type: "tool_result", name: "web_search", content: [found] }, text("Deep.", { citations })];
    expect(answer(blocks)?.parts).toMatchObject([
      { kind: "tool" },
      { kind: "source", at: 4, source: "1", url: "https://a.example/", title: "Fjord" },
      { kind: "source", at: 5, source: "2", url: "https://b.example/", title: "B" },
    ]);
  });

  it("texts that a citation parts are one text, with the source where the citation ends", () => {
    const cited = (end_index: number, url: string) => ({ end_index, details: { url: `https://${url}.example/` } });
    const blocks = [
      text("\n\nAccording to "),
      text("maps 😀, it is deep. ", { citations: [cited(19, "b"), cited(6, "a"), cited(99, "c"), cited(-5, "d")] }),
      text("Very"),
      text(", even."),
      text(""),
      text("- A list\n"),
    ];
    const made = answer(blocks);
    expect(made?.content).toBe("According to maps 😀, it is deep. Very, even.\n\n- A list");
    expect(made?.parts?.map(({ url, at }) => [url, made.content.slice(0, at)])).toEqual([
      ["https://d.example/", "According to "],
      ["https://a.example/", "According to maps 😀"],
      ["https://b.example/", "According to maps 😀, it is deep"],
      ["https://c.example/", "According to maps 😀, it is deep. "],
    ]);
  });

  it("attachments are files with the text that was extracted, and of other files only names are known", () => {
    const attachments = [
      { id: "x", file_name: "notes.txt", file_size: 5, file_type: "txt", extracted_content: "Notes" },
      { file_name: "", file_size: 6, file_type: "text/plain", extracted_content: "Pasted" },
      { file_name: "empty.pdf", file_size: 7, file_type: "application/pdf", extracted_content: "" },
    ];
    const files = [{ file_name: "a.png", file_uuid: "u", file_kind: "image" }, { file_name: "b.png" }];
    const more = { attachments, files, files_v2: [files[0]] };
    const made = convert([message("q", ROOT, [], more)]);
    expect(made.files).toEqual([
      { id: "id of claude/file/x", name: "notes.txt", type: "text/plain", size: 5, source: { text: "Notes" } },
      expect.objectContaining({
        id: "id of claude/c1/q/file/attachments/1",
        name: "text.txt",
        source: { text: "Pasted" },
      }),
      expect.objectContaining({ name: "empty.pdf", type: "application/pdf", size: 7, source: null }),
      expect.objectContaining({ id: "id of claude/file/u", name: "a.png", source: null }),
      expect.objectContaining({ name: "b.png", source: null }),
    ]);
    expect(made.chat.messages[0]).toMatchObject({ content: "", role: "user" });
    expect(made.fates).toMatchObject({ message: 1 });
  });

  it("a picture that a program has saved with the chat keeps its bytes", () => {
    const source = { type: "base64", media_type: "image/png", data: "AAEC" };
    expect(convert([message("q", ROOT, [{ type: "image", source }, text("See")])]).files).toMatchObject([
      { name: "image.png", type: "image/png", size: 3, source: { base64: "AAEC" } },
    ]);
  });

  it("a voice note is text, and what the service does not show is hidden", () => {
    const note = { type: "voice_note", title: "Idea", text: "Go by boat" };
    expect(answer([note])?.content).toBe("Idea\n\nGo by boat");
    const hidden = [
      { type: "token_budget", remaining: 9 },
      { type: "flag", flag: "x" },
    ];
    expect(answer([...hidden, text("Words")])?.content).toBe("Words");
    expect(convert([message("q", ROOT, [text("q")]), message("a", "q", hidden)]).fates).toMatchObject({
      ...{ message: 1, hidden: 1, unreadable: 0 },
    });
  });

  it("a block of an unknown kind is reported, and its words are kept", () => {
    const made = convert([
      message("q", ROOT, [text("q")]),
      message("a", "q", [
        { type: "hologram", text: "Look" },
        { type: "constructor", display_content: { text: "here" } },
      ]),
      message("b", "a", [text("of nobody")], { sender: "narrator" }),
    ]);
    expect(made.chat.messages[1]?.content).toBe("Look\n\nhere\n\nof nobody");
    expect([made.fates.unreadable, made.unreadable]).toEqual([2, { "unknown-kind": 2 }]);
  });

  it("the model is null, but where a program that has saved the chat names it", () => {
    expect(answer([text("a")])?.model).toBeNull();
    expect(convert([message("a", ROOT, [text("a")])], { model: "claude-opus-5" }).chat.messages[0]?.model).toBe(
      "claude-opus-5",
    );
  });
});

describe("hostile chats in Claude's export", () => {
  const sumOf = (fates: object) => Object.values(fates).reduce((sum, count) => sum + count, 0);

  it("values of other types are read as nothing, and each message has one fate", () => {
    const hostile = [
      ...[null, 5, "words", [], {}, { uuid: 7, sender: "human", text: 8, content: "as text" }],
      { uuid: 7, sender: {}, content: [null, 3, "block", [], { type: "text", text: 4 }], attachments: 1, files: {} },
      { uuid: "__proto__", sender: "human", content: [{ type: "__proto__" }, { type: "toString" }] },
      JSON.parse('{"uuid": "p", "__proto__": {"sender": "human"}, "content": [{"type": "text", "text": "p"}]}'),
      {
        uuid: "t",
        content: [
          { type: "tool_use", input: null },
          { type: "tool_result", content: { a: 1 } },
        ],
      },
    ];
    const { fates, chat, unreadable } = convert(hostile, { uuid: 12, name: {}, created_at: 5 });
    expect([sumOf(fates), unreadable.broken, chat.id]).toEqual([hostile.length, 4, "12"]);
    expect(chat.messages.map(({ content }) => content)).toContain("as text");
  });

  it("cycles, missing parents and a value that is too deep to be written lose nothing", () => {
    const deep = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
    const { chat, fates } = convert([
      message("a", "b", [text("a"), { type: "tool_use", name: "deep", input: deep }]),
      message("b", "a", [text("b")]),
      message("c", "nobody", [text("c")]),
      message("d", "d", [text("d")]),
    ]);
    expect(chat.messages.flatMap(({ content }) => content.split("\n\n")).sort()).toEqual(["a", "b", "c", "d"]);
    expect(sumOf(fates)).toBe(4);
  });

  it("a message may have 200,000 citations and as many blocks", () => {
    const citations = Array.from({ length: 200_000 }, (_, at) => ({
      url: `https://a.example/${at}`,
      end_index: at / 2,
    }));
    const blocks = [...Array(200_000).fill(text("a ")), text("b".repeat(100_000), { citations })];
    const made = convert([message("a", ROOT, blocks)]).chat.messages;
    expect(made.flatMap(({ parts = [] }) => parts)).toHaveLength(200_000);
    expect(made.reduce((sum, { content }) => sum + content.length, 0)).toBe(500_000);
  });

  it("a chat may be 50,000 messages deep", () => {
    const messages = Array.from({ length: 50_000 }, (_, at) =>
      message(`${at % 2 ? "a" : "q"}${at}`, at === 0 ? ROOT : `${at % 2 ? "q" : "a"}${at - 1}`, [text("x")]),
    );
    expect(convert(messages).chat.messages).toHaveLength(50_000);
  });
});
