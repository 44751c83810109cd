import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toKnownPart } from "../../conversation/known-parts.ts";
import { exportedChatSchema } from "../transfer.ts";
import { claude } from "./claude/claude.ts";
import type { ConvertedChat } from "./foreign-chat.ts";
import { openWebui } from "./open-webui/open-webui.ts";

const context = { fileIdOf: (key: string) => key.slice(-60), now: 9000 };
const RUNS = { numRuns: 2000 };
const HOSTILE_RUNS = { numRuns: 500 };
const UNSUPPORTED = "```\nThis block is not supported on your current device yet.\n```";
const ROOT = "00000000-0000-4000-8000-000000000000";

/** Something that a node says: its form in a file, and the strings of it that are visible. */
type Said = { written: Record<string, unknown>[]; visible: string[] };
/** `above`: which of the earlier nodes it follows; -1 for none. */
type Node = { isAnswer: boolean; above: number; isHidden: boolean; isUnreadable: boolean; visible: string[] };
type Shape = { words: string[]; children: Shape[] };

/** Any value of JSON. */
const value = fc.jsonValue({ maxDepth: 2 });
/** Words without marks of code, tags or spaces around, which the forms of text may drop. */
const word = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
  .map((text) => `w${text.toWellFormed().replaceAll(/[`~<>\s\0]/g, " ")}`.trim());
/** Words that need escapes. */
const sharpWord = fc.tuple(word, fc.constantFrom("", "<", ">", "&", '"', "'", "&lt;", "\\")).map((two) => two.join(""));
const lines = fc.array(sharpWord, { minLength: 1, maxLength: 3 }).map((all) => all.join("\n"));
const name = fc.stringMatching(/^[a-z]{1,8}$/);
const page = fc.webUrl();
/** An object of one of the known kinds with fields of any value. */
const hostileOf = (kinds: string[], fields: string[], field: fc.Arbitrary<unknown>) =>
  fc
    .tuple(fc.constantFrom(...kinds), fc.dictionary(fc.constantFrom(...fields), field, { maxKeys: 4 }))
    .map(([type, others]) => ({ type, ...others }));
const above = (count: number) => fc.array(fc.integer({ min: -1, max: 30 }), { minLength: count, maxLength: count });

/** The tree that the messages should be: hidden nodes are left out, and chains of answers are one. */
function expectedShape(nodes: readonly Node[]): Shape[] {
  const children = Map.groupBy(nodes.keys(), (at) => nodes[at]?.above ?? -1);
  const isShown = ({ isHidden, visible }: Node) => !isHidden && visible.length > 0;
  const shownBelow = (at: number): number[] =>
    (children.get(at) ?? []).flatMap((child) => (isShown(nodes[child] as Node) ? [child] : shownBelow(child)));
  const shapeAt = (at: number): Shape => {
    const node = nodes[at] as Node;
    const below = shownBelow(at);
    const [only] = below;
    const isChain = node.isAnswer && below.length === 1 && only !== undefined && nodes[only]?.isAnswer;
    if (!isChain) return { words: node.visible.toSorted(), children: below.map(shapeAt) };
    const rest = shapeAt(only);
    return { words: [...node.visible, ...rest.words].toSorted(), children: rest.children };
  };
  return shownBelow(-1).map(shapeAt);
}

/** The tree of the messages, each with all strings that it shows. */
function shapeOf({ chat, files }: ConvertedChat): Shape[] {
  const sources = new Map(files.map(({ id, source }) => [id, Object.values(source ?? {})]));
  const children = Map.groupBy(chat.messages, ({ parent }) => parent);
  const shapesBelow = (id: string | null): Shape[] =>
    (children.get(id) ?? []).map(({ id: own, content, parts = [] }) => {
      const texts = content.split("\n\n").filter((text) => text !== "" && text !== "…");
      const others = parts.flatMap(({ kind, text, name: named, arguments: json, result, url, title, id: file }) =>
        [
          ...[text, kind === "file" ? named : [named, json, result], url, title],
          ...(sources.get(String(file)) ?? []),
        ].flat(),
      );
      const words = [...texts, ...others].filter((one) => typeof one === "string");
      return { words: words.toSorted(), children: shapesBelow(own) };
    });
  return shapesBelow(null);
}

/** Expects a chat that can be imported, in which each node has one fate. */
function expectValid({ chat, fates }: ConvertedChat, nodes: number) {
  expect(exportedChatSchema.safeParse(chat).error).toBeUndefined();
  const parts = chat.messages.flatMap((message) => message.parts ?? []);
  expect(parts.filter((part) => toKnownPart(part) === undefined)).toEqual([]);
  expect(Object.values(fates).reduce((sum, count) => sum + count, 0)).toBe(nodes);
}

function expectConverted(made: ConvertedChat, nodes: readonly Node[]) {
  expect(shapeOf(made)).toEqual(expectedShape(nodes));
  expectValid(made, nodes.length);
  expect(made.fates.unreadable).toBe(nodes.filter(({ isUnreadable }) => isUnreadable).length);
}

describe("generated chats of Claude", () => {
  const visible = (written: object, ...strings: string[]): Said => ({ written: [{ ...written }], visible: strings });
  const citations = fc.array(fc.tuple(page, word), { maxLength: 2 });
  const text = fc.tuple(word, citations).map(([words, cited]): Said => {
    const list = cited.map(([url, title]) => ({ details: { type: "web_search_citation", url }, title }));
    return visible({ type: "text", text: words, citations: list }, words, ...cited.flat());
  });
  const thinking = fc.tuple(lines, fc.boolean()).map(([words, hasOnlySummary]): Said => {
    const summaries = [{ summary: hasOnlySummary ? words : "short" }];
    return visible({ type: "thinking", thinking: hasOnlySummary ? "" : words, summaries, cut_off: false }, words);
  });
  /** As Claude wrote thoughts and documents until 2024. Only in answers, because those of persons stay as written. */
  const marked = fc.tuple(word, word, fc.boolean()).map(([title, words, isThought]): Said => {
    const artifact = `<antArtifact identifier="a" type="text/markdown" title="w">\n${words}\n</antArtifact>`;
    const written = isThought ? `<antThinking>${words}</antThinking>` : artifact;
    return visible({ type: "text", text: `${title}\n\n${written}` }, title, ...(isThought ? [] : ["**w**"]), words);
  });
  const input = fc.dictionary(name, fc.oneof(word, fc.integer(), fc.constant(null)), { maxKeys: 3 });
  const id = fc.uuid();
  const call = fc
    .tuple(id, name, input, fc.option(lines), fc.boolean())
    .map(([uuid, tool, given, result, isList]): Said => {
      const use = { type: "tool_use", id: uuid, name: tool, input: given, message: "Working" };
      const content = isList ? [{ type: "text", text: result }] : result;
      const found = { type: "tool_result", tool_use_id: uuid, name: tool, content, is_error: false };
      return {
        written: result === null ? [use] : [use, found],
        visible: [tool, JSON.stringify(given), ...(result === null ? [] : [result])],
      };
    });
  const note = fc
    .tuple(word, word)
    .map(([title, words]) => visible({ type: "voice_note", title, text: words }, title, words));
  const unshown = fc.constant(visible({ type: "token_budget", remaining: 5 }));
  const unknown = word.map((words) => visible({ type: "hologram", text: words }, words));
  const attachment = fc
    .tuple(word, lines)
    .map(([file, words]): [object, string[]] => [
      { file_name: file, extracted_content: words, file_type: "txt", file_size: 1 },
      [file, words],
    ]);
  const said = [text, thinking, call, note, unshown, unknown];
  const message = fc
    .record({
      ...{ isAnswer: fc.boolean(), said: fc.array(fc.oneof(...said), { maxLength: 4 }) },
      marked: fc.array(fc.oneof(...said, marked), { maxLength: 4 }),
      attachments: fc.array(attachment, { maxLength: 2 }),
      files: fc.array(word, { maxLength: 2 }),
      time: fc.integer({ min: 1, max: 2_000_000_000_000 }),
    })
    .map(({ marked, ...one }) => ({ ...one, said: one.isAnswer ? marked : one.said }));
  const chat = fc
    .array(message, { maxLength: 14 })
    .chain((messages) => fc.tuple(fc.constant(messages), above(messages.length), fc.boolean()));

  it("each string of a chat of Claude is in its place of the same tree, and each message has one fate", () => {
    fc.assert(
      fc.property(chat, ([messages, parents, isLine]) => {
        const nodes = messages.map(({ isAnswer, said, attachments, files }, at): Node => {
          const isUnreadable = said.some(({ written }) => written[0]?.type === "hologram");
          const strings = [
            ...said.flatMap((one) => one.visible),
            ...attachments.flatMap(([, words]) => words),
            ...files,
          ];
          const parent = isLine ? at - 1 : (parents[at] ?? -1) % (at + 1) === at ? -1 : (parents[at] ?? -1) % (at + 1);
          return { isAnswer, above: parent, isHidden: false, isUnreadable, visible: strings };
        });
        const chat_messages = messages.map(({ isAnswer, said, attachments, files, time }, at) => ({
          ...{ uuid: `id ${at}`, sender: isAnswer ? "assistant" : "human", created_at: new Date(time).toISOString() },
          // As in the service: the texts, and a remark in the place of what is none.
          text: said.flatMap((one) => one.written.map(({ text }) => text ?? UNSUPPORTED)).join(" "),
          content: said.flatMap(({ written }) => written),
          attachments: attachments.map(([written]) => written),
          files: files.map((file_name) => ({ file_name })),
          ...(!isLine && { parent_message_uuid: nodes[at]?.above === -1 ? ROOT : `id ${nodes[at]?.above}` }),
        }));
        expectConverted(claude.convert({ uuid: "c", name: "", chat_messages }, context), nodes);
      }),
      RUNS,
    );
  });

  it("no value in the place of a message of Claude throws, and each has one fate", () => {
    const kinds = [
      "text",
      "thinking",
      "tool_use",
      "tool_result",
      "voice_note",
      "image",
      "flag",
      "knowledge",
      "toString",
    ];
    const fields = ["text", "thinking", "summaries", "input", "citations", "name", "source", "display_content"];
    const inner = hostileOf(kinds, fields, value);
    const blocks = fc.array(
      fc.oneof(value, hostileOf(kinds, ["content", ...fields], fc.oneof(value, fc.array(inner)))),
    );
    const hostile = fc.record(
      {
        ...{ uuid: value, sender: value, text: value, parent_message_uuid: value },
        content: fc.oneof(value, blocks),
        ...{ attachments: value, files: fc.array(value) },
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(value, hostile)), value, (chat_messages, uuid) => {
        expectValid(claude.convert({ uuid, project_uuid: uuid, chat_messages }, context), chat_messages.length);
      }),
      HOSTILE_RUNS,
    );
  });
});

describe("generated chats of Open WebUI", () => {
  /** The escapes of Python's `html.escape`, by which the service writes attributes and text. */
  const escaped = (text: string) =>
    text
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("'", "&#x27;");
  const json = fc.dictionary(name, sharpWord, { maxKeys: 2 }).map((value) => JSON.stringify(value));
  const words = word.map((text) => ({
    item: { type: "message", content: [{ type: "output_text", text }] },
    markup: text,
    visible: [text],
  }));
  const reasoning = fc.tuple(lines, fc.boolean()).map(([text, isEscaped]) => {
    const quoted = text.replaceAll(/^/gm, "> ");
    const body = isEscaped ? escaped(quoted) : quoted;
    return {
      item: { type: "reasoning", summary: [{ type: "summary_text", text }], duration: 3 },
      markup: `<details type="reasoning" done="true" duration="3">\n<summary>Thought for 3 seconds</summary>\n${body}\n</details>`,
      visible: [text],
    };
  });
  const call = fc.tuple(fc.uuid(), name, json, lines, fc.boolean()).map(([id, tool, given, result, isAttribute]) => {
    const attribute = isAttribute ? ` result="${escaped(JSON.stringify(result))}" files=""` : "";
    const head = `<details type="tool_calls" done="true" id="${id}" name="${tool}" arguments="${escaped(JSON.stringify(given))}"${attribute}>`;
    return {
      item: { type: "function_call", call_id: id, name: tool, arguments: given },
      result: { type: "function_call_output", call_id: id, output: [{ type: "input_text", text: result }] },
      markup: `${head}\n<summary>Tool Executed</summary>\n${isAttribute ? "" : escaped(result)}\n</details>`,
      visible: [tool, given, result],
    };
  });
  const code = fc.tuple(word, word).map(([source, stdout]) => ({
    item: {
      type: "open_webui:code_interpreter",
      lang: "python",
      code: source,
      output: { stdout },
      status: "completed",
    },
    markup: `<details type="code_interpreter" done="true" output="${escaped(JSON.stringify({ stdout }))}">\n<summary>Analyzed</summary>\n\`\`\`python\n${source}\n\`\`\`\n</details>`,
    visible: ["code_interpreter", JSON.stringify({ language: "python", code: source }), stdout],
  }));
  const base64 = fc.base64String({ minLength: 4, maxLength: 12 });
  const message = fc.record({
    role: fc.constantFrom("user", "assistant", "assistant", "system"),
    said: fc.array(fc.oneof(words, reasoning, call, code), { maxLength: 4 }),
    form: fc.constantFrom("output", "markup", "parts"),
    own: word,
    thought: fc.option(lines),
    error: fc.option(word),
    sources: fc.uniqueArray(fc.tuple(page, word), { maxLength: 2, selector: ([url]) => url }),
    files: fc.array(fc.tuple(word, base64), { maxLength: 2 }),
  });
  type Message = typeof message extends fc.Arbitrary<infer T> ? T : never;

  const isAnswer = ({ role }: Message) => role !== "user";
  /** Reasoning that the model has marked in its text; where the service has separated some, marks are text. */
  const thoughtOf = ({ thought, said }: Message) =>
    thought === null || said.some(({ item }) => item.type === "reasoning") ? [] : [thought];
  const visibleOf = (one: Message): string[] => [
    ...(isAnswer(one) ? one.said.flatMap(({ visible }) => visible) : [one.own]),
    ...(isAnswer(one) && one.form !== "output" ? thoughtOf(one) : []),
    ...(one.error === null ? [] : [one.error]),
    ...[...one.sources.flat(), ...one.files.flat()],
  ];
  const contentOf = (one: Message): object => {
    if (!isAnswer(one)) return { content: one.form === "parts" ? [{ type: "text", text: one.own }] : one.own };
    const thoughts = thoughtOf(one).map((thought) => `<think>\n${thought}\n</think>`);
    const markup = [...(one.form === "output" ? [] : thoughts), ...one.said.map((said) => said.markup)].join("\n\n");
    const output = one.said.flatMap((said): object[] => ("result" in said ? [said.item, said.result] : [said.item]));
    if (one.form === "parts") return { content: [{ type: "text", text: markup }] };
    return { content: markup, ...(one.form === "output" && { output }) };
  };
  const chat = fc
    .array(message, { maxLength: 14 })
    .chain((messages) => fc.tuple(fc.constant(messages), above(messages.length), fc.boolean()));

  it("each string of a chat of Open WebUI is in its place of the same tree, and each message has one fate", () => {
    fc.assert(
      fc.property(chat, ([messages, parents, isLine]) => {
        const nodes = messages.map((one, at): Node => {
          const parent = isLine ? at - 1 : (parents[at] ?? -1) % (at + 1) === at ? -1 : (parents[at] ?? -1) % (at + 1);
          const isHidden = one.role === "system";
          return { isAnswer: isAnswer(one), above: parent, isHidden, isUnreadable: false, visible: visibleOf(one) };
        });
        const written = messages.map((one, at) => ({
          ...{ id: `id ${at}`, role: one.role, timestamp: 1_700_000_000 + at, ...contentOf(one) },
          ...(!isLine && { parentId: nodes[at]?.above === -1 ? null : `id ${nodes[at]?.above}`, childrenIds: [] }),
          ...(one.error !== null && { error: { content: one.error } }),
          sources: one.sources.map(([source, title]) => ({ source: { name: "web" }, metadata: [{ source, title }] })),
          files: one.files.map(([file, bytes]) => ({
            type: "image",
            name: file,
            url: `data:image/png;base64,${bytes}`,
          })),
        }));
        const tree = { messages: Object.fromEntries(written.map((one) => [one.id, one])), currentId: null };
        const body = isLine ? { messages: written } : { history: tree, messages: written };
        expectConverted(openWebui.convert({ id: "c", title: "", chat: body }, context), nodes);
      }),
      RUNS,
    );
  });

  it("no value in the place of a message of Open WebUI throws, and each has one fate", () => {
    const kinds = ["text", "image_url", "message", "reasoning", "function_call", "function_call_output", "x_call"];
    const fields = ["text", "content", "output", "url", "file", "files", "source", "metadata", "image_url", "summary"];
    const inner = hostileOf(kinds, fields, value);
    const field = fc.oneof(
      value,
      fc.array(hostileOf(kinds, fields, fc.oneof(value, fc.array(inner))), { maxLength: 3 }),
    );
    const keys = ["parentId", "childrenIds", "role", "content", "output", "files", "sources", "error", "merged"];
    const hostile = fc.oneof(value, fc.dictionary(fc.constantFrom(...keys), field, { maxKeys: 5 }));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), hostile, { maxKeys: 5 }), value, (messages, id) => {
        const chat = { id, folder_id: id, created_at: id, chat: { history: { messages } } };
        expectValid(openWebui.convert(chat, context), Object.keys(messages).length);
      }),
      HOSTILE_RUNS,
    );
  });
});
