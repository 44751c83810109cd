import { describe, expect, it } from "vitest";
import { MESSAGE_MAX, PARTS_MAX } from "../../limits.ts";
import { convertTree } from "./convert-tree.ts";
import type { ForeignChat, ForeignNode, Piece } from "./foreign-chat.ts";

const context = { fileIdOf: (key: string) => `id of ${key}`, now: 9000 };
const text = (words: string): Piece => ({ kind: "text", text: words });

/** A node `id: role parent`, that says its id. */
function node(id: string, role: "user" | "assistant", parent: string | null, more: Partial<ForeignNode> = {}) {
  return { id, role, parent, pieces: [text(id)], createdAt: 1000, model: null, ...more } satisfies ForeignNode;
}

const chat = (nodes: ForeignNode[], more: Partial<ForeignChat> = {}): ForeignChat => ({
  ...{ id: "c", title: "Fjords", createdAt: 1000, updatedAt: 2000, leaf: null, nodes },
  ...more,
});

const converted = (nodes: ForeignNode[], more: Partial<ForeignChat> = {}) =>
  convertTree("chatgpt", chat(nodes, more), context);

/** The messages as `parent > content`. */
const shapeOf = (nodes: ForeignNode[], more: Partial<ForeignChat> = {}) => {
  const { messages } = converted(nodes, more).chat;
  const words = new Map<string | null, string>(messages.map(({ id, content }) => [id, content]));
  return messages.map(({ parent, content }) => `${words.get(parent) ?? "-"} > ${content}`);
};

describe("the tree of a chat of another service", () => {
  it("a tree keeps its branches, and a chain of answers becomes one message", () => {
    const nodes = [node("q", "user", null), node("a1", "assistant", "q"), node("a2", "assistant", "a1")];
    expect(shapeOf([...nodes, node("b", "assistant", "q")])).toEqual(["- > q", "q > a1\n\na2", "q > b"]);
  });

  it("a message begins where an answer divides", () => {
    const nodes = [node("q", "user", null), node("a", "assistant", "q"), node("x", "assistant", "a")];
    expect(shapeOf([...nodes, node("y", "assistant", "a")])).toEqual(["- > q", "q > a", "a > x", "a > y"]);
  });

  it("hidden and empty nodes are left out, and their followers follow the node before", () => {
    const nodes = [
      node("root", "assistant", null, { pieces: [] }),
      node("system", "assistant", "root", { isHidden: true }),
      node("q", "user", "system"),
      node("blank", "assistant", "q", { pieces: [text(" \n")] }),
      node("a", "assistant", "blank"),
    ];
    expect(shapeOf(nodes)).toEqual(["- > q", "q > a"]);
    expect(converted(nodes).fates).toEqual({ message: 2, part: 0, file: 0, hidden: 3, unreadable: 0 });
  });

  it("nothing is lost of a tree with missing parents, cycles and equal ids", () => {
    const nodes = [
      node("orphan", "user", "nobody"),
      node("one", "user", "two"),
      node("two", "assistant", "one"),
      node("one", "assistant", "orphan", { pieces: [text("again")] }),
    ];
    const { chat: made, fates } = converted(nodes);
    expect(made.messages.map(({ content }) => content).sort()).toEqual(["again", "one", "orphan", "two"]);
    expect(Object.values(fates).reduce((sum, count) => sum + count, 0)).toBe(4);
  });

  it("a node without an id, and a folder with an id that the form does not take, leave the chat valid", () => {
    const { chat: made } = converted([node("", "user", null, { pieces: [text("q")] })], {
      leaf: "",
      folder: "f".repeat(65),
    });
    expect([made.leaf, made.folder]).toEqual([made.messages[0]?.id, null]);
    expect(converted([], { folder: "f" }).chat.folder).toBe("f");
  });

  it("a tree may be as deep as a chat", () => {
    const nodes = Array.from({ length: 50_000 }, (_, at) =>
      node(`n${at}`, at % 2 === 0 ? "user" : "assistant", at === 0 ? null : `n${at - 1}`),
    );
    expect(converted(nodes).chat.messages).toHaveLength(50_000);
  });
});

describe("the messages of a converted chat", () => {
  it("a converted message has the shown end, the times and the model of the service", () => {
    const nodes = [
      node("q", "user", null, { createdAt: null }),
      node("a", "assistant", "q", { createdAt: 1500, model: "gpt-4o" }),
      node("hidden", "assistant", "a", { isHidden: true }),
      node("b", "assistant", "q", { createdAt: 1800 }),
    ];
    const { chat: made } = converted(nodes, { leaf: "hidden" });
    expect(made.messages.map(({ createdAt, model }) => [createdAt, model])).toEqual([
      ...[
        [1000, null],
        [1500, "gpt-4o"],
        [1800, null],
      ],
    ]);
    expect(made.leaf).toBe(made.messages[1]?.id);
    expect([made.createdAt, made.updatedAt, made.origin]).toEqual([1000, 2000, { service: "chatgpt", id: "c" }]);
  });

  it("a converted message keeps reasoning, calls with their results, sources and files at their places in the text", () => {
    const file = { id: "f", name: "a.png", type: "image/png", size: 3, source: null };
    const pieces: Piece[] = [
      { kind: "reasoning", text: "Hm.", durationMs: 5 },
      text("One."),
      { kind: "tool", name: "search", call: "c1", arguments: "{}", state: "sent" },
      { kind: "source", url: "https://a.example/", title: "A" },
      { kind: "file", file },
    ];
    const nodes = [
      node("q", "user", null),
      node("a", "assistant", "q", { pieces }),
      node("r", "assistant", "a", {
        pieces: [{ kind: "result", name: "search", call: "c1", text: "Found", hasFailed: false }, text("Two.")],
      }),
    ];
    const { chat: made, files, fates } = converted(nodes);
    expect(made.messages[1]).toMatchObject({
      content: "One.\n\nTwo.",
      parts: [
        { seq: 0, at: 0, kind: "reasoning", text: "Hm.", durationMs: 5 },
        { seq: 1, at: 4, kind: "tool", server: "ChatGPT", name: "search", state: "succeeded", result: "Found" },
        { seq: 2, at: 4, kind: "source", source: "1", url: "https://a.example/" },
        { seq: 3, at: 4, kind: "file", id: "f" },
      ],
    });
    expect(files).toEqual([file]);
    expect(fates).toMatchObject({ message: 2, part: 1 });
  });

  it("a text goes on in its sentence after a source", () => {
    const pieces: Piece[] = [
      text("It rains"),
      { kind: "source", url: "https://a.example/", title: "A" },
      { kind: "text", text: ", often.", isContinuation: true },
      text("Always."),
    ];
    const { chat: made } = converted([node("a", "assistant", null, { pieces })]);
    expect(made.messages[0]).toMatchObject({ content: "It rains, often.\n\nAlways.", parts: [{ at: 8 }] });
  });

  it("a result beyond the length of a part is kept whole, in a file", () => {
    const long = "r".repeat(150_000);
    const call: Piece = { kind: "tool", name: "page", call: "c", arguments: "{}", state: "succeeded", result: long };
    const { chat: made, files } = converted([node("a", "assistant", null, { pieces: [call] })]);
    expect(made.messages[0]?.parts?.map(({ kind, isCut, tool }) => [kind, isCut, tool])).toEqual([
      ...[
        ["tool", true, undefined],
        ["file", undefined, 0],
      ],
    ]);
    expect(files.map(({ name, source }) => [name, source])).toEqual([["page.txt", { text: long }]]);
  });

  it("reasoning without an answer is kept", () => {
    const { chat: made } = converted([
      node("a", "assistant", null, { pieces: [{ kind: "reasoning", text: "Only thoughts" }] }),
    ]);
    expect(made.messages[0]).toMatchObject({ content: "…", parts: [{ kind: "reasoning", text: "Only thoughts" }] });
  });

  it("a message becomes several where one could not hold all text or all parts", () => {
    const words = "😀".repeat(MESSAGE_MAX / 2 + 10);
    const sources = Array.from({ length: PARTS_MAX + 5 }, (_, at): Piece => {
      return { kind: "source", url: `https://a.example/${at}`, title: "" };
    });
    const { chat: made } = converted([node("a", "assistant", null, { pieces: [text(words), ...sources] })]);
    expect(made.messages.map(({ content }) => content).join("")).toContain(words);
    expect(made.messages.flatMap(({ parts = [] }) => parts)).toHaveLength(PARTS_MAX + 5);
    expect(
      made.messages.every(({ content, parts = [] }) => content.length <= MESSAGE_MAX && parts.length <= PARTS_MAX),
    ).toBe(true);
  });

  it("a call and its result stay together where an answer is divided for its many parts", () => {
    const calls = Array.from({ length: PARTS_MAX + 500 }, (_, at): Piece => {
      return { kind: "tool", name: "t", call: `c${at}`, arguments: `${at}`, state: "unknown" };
    });
    const results = calls.map((_, at): Piece => {
      const words = at < 2 ? "long".repeat(50_000) + at : `r${at}`;
      return { kind: "result", name: "t", call: `c${at}`, text: words, hasFailed: false };
    });
    const { chat: made, files } = converted([
      node("a", "assistant", null, { pieces: calls }),
      node("b", "assistant", "a", { pieces: results }),
    ]);
    const parts = made.messages.flatMap((message) => message.parts ?? []);
    const tools = parts.filter(({ kind }) => kind === "tool");
    expect(tools).toHaveLength(calls.length);
    expect(tools.every(({ state, result }) => state === "succeeded" && typeof result === "string")).toBe(true);
    expect(tools.at(-1)).toMatchObject({ arguments: `${calls.length - 1}`, result: `r${calls.length - 1}` });
    expect(files.map(({ source }) => source)).toEqual([0, 1].map((at) => ({ text: "long".repeat(50_000) + at })));
    expect(made.messages.every((message) => (message.parts ?? []).length <= PARTS_MAX)).toBe(true);
  });

  it("calls with texts of control characters fit into what an import takes, and are whole in files", () => {
    const odd = "\u0001".repeat(99_000);
    const call: Piece = { kind: "tool", name: "t", call: "c", arguments: odd, state: "succeeded", result: odd };
    const { chat: made, files } = converted([node("a", "assistant", null, { pieces: [call] })]);
    expect(JSON.stringify(made.messages[0]?.parts?.[0]).length).toBeLessThan(1_000_000);
    expect(files.map(({ source }) => source)).toEqual([{ text: odd }, { text: odd }]);
  });

  it("a chain of answers as long as a chat becomes one message without joining its text each time", () => {
    const nodes = Array.from({ length: 50_000 }, (_, at) =>
      node(`n${at}`, "assistant", at === 0 ? null : `n${at - 1}`),
    );
    const { chat: made } = converted(nodes);
    expect(made.messages[0]?.content).toMatch(/^n0\n\nn1\n\nn2\n\n[\s\S]*n49999$/);
  });
});
