import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exportedChatSchema } from "../../transfer.ts";
import type { ConvertedChat } from "../foreign-chat.ts";
import { chatgpt } from "./chatgpt.ts";

const context = { fileIdOf: (key: string) => `id of ${key}`, now: 9000 };

const numRuns = 2000;

type Shape = { above: number; kind: number; isBranch: boolean };
/** A generated message, with the words that must be seen of it; null if the service hides it. */
type Made = { message: unknown; seen: string[] | null };

const said = (role: string, content: object, more: object = {}) => ({
  author: { role, name: role === "tool" ? "web.run" : null },
  content,
  metadata: {},
  ...more,
});

/** One message of each documented kind, whose words are unique in the chat: `at` is part of each. */
const kinds: ((at: number) => Made)[] = [
  (at) => ({ message: said("user", { content_type: "text", parts: [`Ask ${at}.`] }), seen: [`Ask ${at}.`] }),
  (at) => ({ message: said("assistant", { content_type: "text", parts: [`Say ${at}.`] }), seen: [`Say ${at}.`] }),
  (at) => {
    const mark = `\uE200cite\uE202turn${at}search0\uE201`;
    const items = [{ url: `https://${at}.example/`, title: `Page ${at}.` }];
    const metadata = { content_references: [{ matched_text: mark, type: "grouped_webpages", items }] };
    const content = { content_type: "text", parts: [`Cite ${at}. ${mark} Then ${at}.`] };
    return { message: said("assistant", content, { metadata }), seen: [`Cite ${at}.`, `Page ${at}.`, `Then ${at}.`] };
  },
  (at) => ({
    message: said(
      "assistant",
      { content_type: "code", language: "unknown", text: `Call ${at}.` },
      { recipient: "web.run" },
    ),
    seen: [`Call ${at}.`],
  }),
  (at) => ({
    message: said("tool", { content_type: "tether_quote", title: `Title ${at}.`, text: `Quote ${at}.` }),
    seen: [`Title ${at}.`, `Quote ${at}.`],
  }),
  (at) => ({ message: said("tool", { content_type: "execution_output", text: `Out ${at}.` }), seen: [`Out ${at}.`] }),
  (at) => {
    const thoughts = [{ summary: `Sum ${at}.`, content: `Think ${at}.` }];
    return { message: said("assistant", { content_type: "thoughts", thoughts }), seen: [`Sum ${at}.`, `Think ${at}.`] };
  },
  (at) => ({ message: said("assistant", { content_type: "hologram", text: `Glow ${at}.` }), seen: [`Glow ${at}.`] }),
  (at) => ({ message: said("system", { content_type: "text", parts: [`System ${at}.`] }), seen: null }),
  (at) => ({ message: said("user", { content_type: "user_editable_context", user_profile: `Me ${at}.` }), seen: null }),
  (at) => {
    const metadata = { is_visually_hidden_from_conversation: true };
    return { message: said("tool", { content_type: "text", parts: [`Hidden ${at}.`] }, { metadata }), seen: null };
  },
  (at) => {
    const parts = [{ content_type: "audio_transcription", text: `Speak ${at}.` }, `Show ${at}.`];
    return { message: said("user", { content_type: "multimodal_text", parts }), seen: [`Speak ${at}.`, `Show ${at}.`] };
  },
  (at) => {
    const marks = `Sail ${at}. :contentReference[oaicite:0]{index=0} [Map ${at}.](sandbox:/mnt/data/${at}.csv)`;
    const block = `:::writing{id="1" subject="Re ${at}."}\nDear ${at}.\n:::\nEnd ${at}.`;
    const content = { content_type: "text", parts: [`${marks}\n${block}`] };
    const seen = ["Sail", "Map", "Re", "Dear", "End"].map((word) => `${word} ${at}.`);
    return { message: said("assistant", content), seen };
  },
  () => ({ message: null, seen: null }),
];

const shapes = fc.array(
  fc.record({
    above: fc.nat(),
    kind: fc.nat({ max: kinds.length - 1 }),
    isBranch: fc.boolean(),
  }) satisfies fc.Arbitrary<Shape>,
  { maxLength: 40 },
);

function chatOf(list: readonly Shape[]) {
  const parents = list.map(({ above, isBranch }, at) => (at === 0 ? -1 : isBranch ? above % at : at - 1));
  const made = list.map(({ kind }, at) => kinds[kind]?.(at) as Made);
  const nodes = made.map(({ message }, at) => {
    const children = parents.flatMap((parent, child) => (parent === at ? `n${child}` : []));
    const parent = at === 0 ? null : `n${parents[at]}`;
    return [`n${at}`, { id: `n${at}`, message, parent, children }] as const;
  });
  return { made, parents, chat: { title: "T", mapping: Object.fromEntries(nodes), current_node: null } };
}

/** Returns the words of the generator in a converted chat, with the number of each. */
function wordsOf({ chat }: ConvertedChat): string[] {
  return (JSON.stringify(chat.messages).match(/[A-Z][a-z]+ \d+\./g) ?? []).sort();
}

/** Returns `at` of the nodes that each message has, in their order, by the words of its text and its parts. */
const nodesOf = (message: ConvertedChat["chat"]["messages"][number]): number[] => {
  const found = JSON.stringify(message).matchAll(/[A-Z][a-z]+ (\d+)\./g);
  return [...new Set(Array.from(found, ([, at]) => Number(at)))];
};

describe("trees of ChatGPT", () => {
  it("loses no word of a generated chat, invents none, and counts each node once", () => {
    const property = fc.property(shapes, (list) => {
      const { chat, made } = chatOf(list);
      const converted = chatgpt.convert(chat, context);
      expect(wordsOf(converted)).toEqual(made.flatMap(({ seen }) => seen ?? []).sort());
      expect(Object.values(converted.fates).reduce((sum, count) => sum + count, 0)).toBe(list.length);
      expect(converted.fates.hidden).toBe(made.filter(({ seen }) => seen === null).length);
      expect(exportedChatSchema.safeParse(converted.chat).success).toBe(true);
    });
    fc.assert(property, { numRuns });
  });

  it("keeps the tree of a generated chat, of which only chains of answers are joined", () => {
    const property = fc.property(shapes, (list) => {
      const { chat, made, parents } = chatOf(list);
      const { messages } = chatgpt.convert(chat, context).chat;
      const owner = new Map(messages.flatMap((message) => nodesOf(message).map((at) => [at, message] as const)));
      const shownAbove = (at: number): number => {
        const parent = parents[at] ?? -1;
        return parent < 0 || made[parent]?.seen ? parent : shownAbove(parent);
      };
      for (const at of owner.keys()) {
        const above = owner.get(shownAbove(at));
        const message = owner.get(at);
        const isJoined = above === message;
        expect(isJoined ? message?.role : message?.parent).toBe(isJoined ? "assistant" : (above?.id ?? null));
      }
      const shownChildren = Map.groupBy(owner.keys(), shownAbove);
      for (const [above, children] of shownChildren) {
        const joined = children.filter((at) => owner.get(at) === owner.get(above));
        expect(joined.length).toBeLessThanOrEqual(children.length === 1 ? 1 : 0);
      }
    });
    fc.assert(property, { numRuns });
  });
});

describe("hostile chats of ChatGPT", () => {
  const say = (text: unknown) => ({ author: { role: "user" }, content: { content_type: "text", parts: [text] } });
  const convert = (mapping: unknown, more: object = {}) => chatgpt.convert({ title: "T", mapping, ...more }, context);
  const contents = ({ chat }: ConvertedChat) => chat.messages.map(({ content }) => content).sort();

  it("a chain of 50,000 nodes is converted", () => {
    const tools = { author: { role: "tool", name: "x" }, content: { content_type: "text", parts: ["r"] } };
    const node = (at: number) => ({
      parent: at === 0 ? null : at - 1,
      children: [at + 1],
      message: at % 3 === 0 ? tools : say("a"),
    });
    const mapping = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [at, node(at)]));
    expect(convert(mapping).chat.messages.length).toBe(50_000);
  });

  it("names of prototypes are ids and kinds like any other", () => {
    const json = JSON.stringify({ title: "T", conversation_id: "__proto__", current_node: "constructor" });
    const nodes = `{"__proto__":{"message":${JSON.stringify(say("a"))},"parent":null,"children":["constructor"]},
      "constructor":{"message":{"author":{"role":"assistant"},"content":{"content_type":"toString","text":"b"}},"parent":"__proto__"}}`;
    const chat = JSON.parse(`${json.slice(0, -1)},"mapping":${nodes}}`);
    const converted = chatgpt.convert(chat, context);
    expect([contents(converted), converted.unreadable]).toEqual([["a", "b"], { "unknown-kind": 1 }]);
    expect(converted.chat.leaf).toBe("m2");
  });

  it("cycles, missing entries and ids of other types lose nothing", () => {
    const mapping = {
      one: { message: say("one"), parent: "two", children: ["two", "two", null] },
      two: { message: say("two"), parent: "one", children: "one" },
      3: { message: say("three"), parent: 99, children: [4] },
      4: { message: say("four"), parent: {}, children: [4, 3] },
    };
    const converted = convert(mapping, { current_node: 4, conversation_id: 7, create_time: "soon", gizmo_id: 5 });
    expect(contents(converted)).toEqual(["four", "one", "three", "two"]);
    expect(converted.chat.id).toBe("7");
    const four = converted.chat.messages.find(({ content }) => content === "four");
    expect(converted.chat.messages.find(({ id }) => id === four?.parent)?.content).toBe("three");
    expect(converted.chat.leaf).toBe(four?.id);
  });

  it("values of any type anywhere never throw", () => {
    const keys = [
      "content_type",
      "parts",
      "text",
      "thoughts",
      "metadata",
      "attachments",
      "content_references",
      "citations",
    ];
    const more = ["role", "name", "author", "content", "message", "parent", "children", "matched_text", "items", "url"];
    const names = fc.constantFrom(...keys, ...more, "recipient", "start_ix", "end_ix", "aggregate_result", "messages");
    const words = fc.constantFrom(
      "text",
      "user",
      "assistant",
      "tool",
      "a",
      "thoughts",
      "multimodal_text",
      "\uE200cite\uE202x\uE201",
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 6 }, words, fc.double(), fc.constantFrom(null, true), tie("list"), tie("record")),
      list: fc.array(tie("value"), { maxLength: 3 }),
      record: fc.dictionary(names, tie("value"), { maxKeys: 6 }),
    }));
    const property = fc.property(fc.dictionary(fc.constantFrom("a", "b", "c"), value), (mapping) => {
      const { fates } = convert(mapping);
      expect(Object.values(fates).reduce((sum, count) => sum + count, 0)).toBe(Object.keys(mapping).length);
    });
    fc.assert(property, { numRuns });
  });
});
