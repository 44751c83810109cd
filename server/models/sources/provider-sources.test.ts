import { describe, expect, it, test } from "vitest";
import { replay } from "../../../testing/provider/replay-stream.ts";
import { AnthropicReader } from "../providers/anthropic.ts";
import { ChatCompletionReader } from "../providers/chat-completion-reader.ts";
import type { WireReader } from "../providers/event-stream-call.ts";
import { ResponsesReader } from "../providers/responses-reader.ts";

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const chunk = (delta: object, more: object = {}, finish_reason: string | null = null) =>
  event({ choices: [{ index: 0, delta, finish_reason }], ...more });

const A = { url: "https://a.test/one", title: "One – ä" };
const B = { url: "https://b.test/two", title: "Two" };
const TEXT = "Grüße [1]. Und [2].";
const words = [TEXT.slice(0, 8), TEXT.slice(8)] as const;
const range = { start_index: 6, end_index: 9 };

type Dialect = { reader: () => WireReader; stream: string; sources: object };

const ofResponses = (position: object, annotation: object) =>
  event({ type: "response.output_text.annotation.added", ...position, annotation_index: 0, annotation });

const dialects: Record<string, Dialect> = {
  "Perplexity, with lists in each chunk": {
    reader: () => new ChatCompletionReader(),
    stream: words
      .map((content) => chunk({ content }, { citations: [A.url, B.url], search_results: [{ ...A, date: null }, B] }))
      .concat(chunk({}, { citations: [A.url, B.url], search_results: [A, B] }, "stop"))
      .join(""),
    sources: { list: [A, B], cited: [], length: TEXT.length },
  },
  "xAI, with addresses in the last chunk": {
    reader: () => new ChatCompletionReader(),
    stream:
      words.map((content) => chunk({ content })).join("") +
      chunk({}, {}, "stop") +
      event({ choices: [], usage: {}, citations: [A.url, B.url] }),
    sources: {
      list: [
        { ...A, title: "a.test" },
        { ...B, title: "b.test" },
      ],
      cited: [],
      length: TEXT.length,
    },
  },
  "OpenAI and OpenRouter, with annotations of a delta": {
    reader: () => new ChatCompletionReader(),
    stream:
      words.map((content) => chunk({ content })).join("") +
      chunk({ annotations: [{ type: "url_citation", url_citation: { ...A, content: "…", ...range } }] }) +
      chunk({ annotations: [{ type: "url_citation", url_citation: { ...A, ...range } }, { type: "file_citation" }] }) +
      chunk({}, {}, "stop"),
    sources: { list: [], cited: [{ ...A, words: { start: 0, from: 6, to: 9 } }], length: TEXT.length },
  },
  "OpenAI's responses, in the second part of a message": {
    reader: () => new ResponsesReader(),
    stream:
      event({ type: "response.output_item.added", output_index: 1, item: { type: "message" } }) +
      event({ type: "response.output_text.delta", output_index: 1, content_index: 0, delta: "Ja. " }) +
      words
        .map((delta) => event({ type: "response.output_text.delta", output_index: 1, content_index: 1, delta }))
        .join("") +
      ofResponses({ output_index: 1, content_index: 1 }, { type: "url_citation", ...A, ...range }) +
      event({
        type: "response.output_item.done",
        output_index: 1,
        item: { type: "message", content: [{}, { annotations: [{ type: "url_citation", ...A, ...range }] }] },
      }) +
      event({ type: "response.completed", response: { citations: [B.url] } }),
    sources: {
      list: [{ ...B, title: "b.test" }],
      cited: [{ ...A, words: { start: 4, from: 6, to: 9 } }],
      length: TEXT.length + 4,
    },
  },
  "Anthropic, for blocks of text": {
    reader: () => new AnthropicReader(),
    stream:
      event({ type: "message_start", message: {} }) +
      event({ type: "content_block_start", index: 0, content_block: { type: "server_tool_use", name: "web_search" } }) +
      event({ type: "content_block_stop", index: 0 }) +
      event({ type: "content_block_start", index: 1, content_block: { type: "text", text: "" } }) +
      event({ type: "content_block_delta", index: 1, delta: { type: "text_delta", text: words[0] } }) +
      event({ type: "content_block_stop", index: 1 }) +
      event({ type: "content_block_start", index: 2, content_block: { type: "text", text: "", citations: [] } }) +
      event({
        type: "content_block_delta",
        index: 2,
        delta: {
          type: "citations_delta",
          citation: { type: "web_search_result_location", ...A, cited_text: "x", encrypted_index: "Eo8" },
        },
      }) +
      event({ type: "content_block_delta", index: 2, delta: { type: "text_delta", text: words[1] } }) +
      event({ type: "content_block_stop", index: 2 }) +
      event({ type: "message_stop" }),
    sources: { list: [], cited: [{ ...A, words: { to: TEXT.length } }], length: TEXT.length },
  },
};

const read = async (reader: WireReader, chunks: readonly Uint8Array[]) =>
  (await replay(reader, { chunks })).end?.sources;

describe.each(Object.entries(dialects))("sources of %s", (_, { reader, stream, sources }) => {
  const bytes = Buffer.from(stream);

  test("sources are read the same in one piece, byte by byte, and split at any byte", async () => {
    expect(await read(reader(), [bytes])).toEqual(sources);
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(await read(reader(), single)).toEqual(sources);
    for (let at = 1; at < bytes.length; at++) {
      expect(await read(reader(), [bytes.subarray(0, at), bytes.subarray(at)])).toEqual(sources);
    }
  });

  test("an answer that is cut before its end has no sources, or all of them that came", async () => {
    for (let at = 0; at < bytes.length; at += 7) {
      const { end, error } = await replay(reader(), { chunks: [bytes.subarray(0, at)] });
      if (!end) expect(error).toMatchObject({ code: "assistant-broken-off" });
      else if (end.sources) expect(end.sources.length).toBeLessThanOrEqual(TEXT.length + 4);
    }
  });
});

describe("untrusted sources", () => {
  const sourcesOf = (more: object) => {
    const stream = [chunk({ content: TEXT }), chunk({}, more, "stop"), "data: [DONE]\n\n"].join("");
    return read(new ChatCompletionReader(), [Buffer.from(stream)]);
  };
  const annotated = (annotations: unknown) =>
    read(new ChatCompletionReader(), [Buffer.from(chunk({ content: TEXT, annotations }, {}, "stop"))]);

  it.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "https://me:secret@a.test/",
    "nonsense",
    7,
  ])("an address of the web only becomes a source, and %s is none", async (url) => {
    expect(await sourcesOf({ citations: [url] })).toBeUndefined();
    expect(await annotated([{ type: "url_citation", url_citation: { url, title: "x", ...range } }])).toBeUndefined();
  });

  it("an address that is none keeps its number, so that the others keep theirs", async () => {
    const sources = await sourcesOf({ citations: ["javascript:x", A.url] });
    expect(sources?.list).toEqual([
      { url: "", title: "" },
      { url: A.url, title: "a.test" },
    ]);
  });

  it("long lists, addresses and titles are bounded", async () => {
    const many = Array.from({ length: 5000 }, (_, at) => `https://a.test/${at}`);
    expect((await sourcesOf({ citations: many }))?.list).toHaveLength(100);
    expect(await sourcesOf({ citations: [`https://a.test/${"a".repeat(3000)}`] })).toBeUndefined();
    const titled = await sourcesOf({ search_results: [{ url: A.url, title: `${"a\n".repeat(1000)}\ud800` }] });
    expect(titled?.list[0]?.title.length).toBeLessThanOrEqual(300);
    const cited = await annotated(
      many.map((url) => ({ type: "url_citation", url_citation: { url, title: "", ...range } })),
    );
    expect(cited?.cited).toHaveLength(200);
  });

  it.each([{ citations: "x" }, { citations: {} }, { citations: [null, {}] }, { search_results: [[]] }])(
    "lists of another form are passed over: %j",
    async (more) => {
      expect(await sourcesOf(more)).toBeUndefined();
    },
  );

  it("positions that are none count as unknown", async () => {
    const positions = [{ start_index: -1, end_index: 1e12 }, { start_index: "1", end_index: "2" }, {}];
    const sources = await annotated(
      positions.map((each, at) => ({ type: "url_citation", url: `https://a.test/${at}`, title: "x", ...each })),
    );
    expect(sources?.cited.map(({ words }) => words)).toEqual([undefined, undefined, undefined]);
  });
});
