import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Chat } from "#contract/conversation/conversation.ts";
import type { SourcePart } from "#contract/conversation/known-parts.ts";
import { startChatWithModels } from "../../../../testing/chats/chat-with-models.ts";
import type { ScriptedChat } from "../../../../testing/chats/scripted-chat.ts";
import { askTemporary } from "../../../../testing/chats/temporary-request.ts";
import { readEvents, readReply } from "../../../../testing/http/read-events.ts";
import { scriptCalls, wireCall } from "../../../../testing/tools/script-calls.ts";

const CHAT = "GPT:by-chat";
const RESPONSES = "GPT:by-responses";
const MESSAGES = "CLAUDE:by-messages";
const size = { contextTokens: 100_000, maxOutputTokens: 1000, tools: true } as const;
const models = [
  { ...size, label: "Chat", value: CHAT, api: "chat-completions" },
  { ...size, label: "Responses", value: RESPONSES, api: "responses" },
  { ...size, label: "Messages", value: MESSAGES },
] as const;

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startChatWithModels(models);
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  chat.provider.reset();
  await chat.renew();
});

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const chunk = (delta: object, more: object = {}) =>
  event({ choices: [{ index: 0, delta, finish_reason: null }], ...more });
const A = { url: "https://a.test/one", title: "One" };
const B = { url: "https://b.test/two", title: "Two" };

async function ask(model: string, reply: string, events: string) {
  chat.provider.reply = reply;
  chat.provider.events = () => events;
  await readReply(await chat.stream({ model, message: "What is new?" }));
  const { state, content, parts = [] } = await chat.last();
  expect([state, content]).toEqual(["complete", reply]);
  return parts.filter((part): part is SourcePart => part.kind === "source");
}

const unchecked = (at: number, source: string, facts: object) => ({ at, source, ...facts, checked: "unchecked" });

describe("sources that a provider names", () => {
  it("numbers in a text refer to Perplexity's list, and stand where they are", async () => {
    const text = "Red [2]. Blue [1, 2]; a link [1](https://c.test), `a[1]`, none [7].";
    const sources = await ask(CHAT, text, chunk({}, { citations: [A.url, B.url], search_results: [A, B] }));
    expect(sources).toMatchObject([
      unchecked(text.indexOf(". Blue"), "2", B),
      unchecked(text.indexOf("; a"), "1", A),
      unchecked(text.indexOf("; a"), "2", B),
    ]);
    expect(sources.every(({ tool, quote }) => tool === undefined && quote === undefined)).toBe(true);
  });

  it("addresses of xAI without numbers in the text stand at its end", async () => {
    const text = "It is new.";
    expect(await ask(CHAT, text, chunk({}, { citations: [A.url, B.url] }))).toMatchObject([
      unchecked(text.length, "1", { url: A.url, title: "a.test" }),
      unchecked(text.length, "2", { url: B.url, title: "b.test" }),
    ]);
  });

  const linked = `Grüße 👋 ([b.test](${B.url})). It is new ([a.test](${A.url})). And more.`;
  const [ofB, ofA] = [`([b.test](${B.url}))`, `([a.test](${A.url}))`];
  const rangeOf = (link: string, text: string | string[]) => {
    const before = linked.slice(0, linked.indexOf(link));
    const start_index = typeof text === "string" ? before.length : Array.from(before).length;
    return { start_index, end_index: start_index + link.length };
  };
  const expected = [
    unchecked(linked.indexOf(ofB) + ofB.length, "1", B),
    unchecked(linked.indexOf(ofA) + ofA.length, "2", A),
  ];

  it.each([
    ["UTF-16 units", ""],
    ["code points", [""]],
  ])("annotations of OpenAI and OpenRouter stand behind their words, counted in %s", async (_, units) => {
    const annotations = [
      { type: "url_citation", url_citation: { ...B, ...rangeOf(ofB, units) } },
      { type: "url_citation", url_citation: { ...A, ...rangeOf(ofA, units) } },
    ];
    expect(await ask(CHAT, linked, chunk({ annotations }))).toMatchObject(expected);
  });

  const thought = "<think>\nThe link is 👋, and [1] is none.\n</think>\n\n";

  it.each([
    ["of the text", "before it", thought, 0],
    ["of all that was sent", "before it", thought, thought.length],
    ["of the text", "whose beginning is not marked,", thought.replace("<think>", ""), 0],
  ])(
    "annotations %s stand behind their words beside a thought %s which is no text",
    async (_of, _where, before, more) => {
      const annotations = [ofB, ofA].map((link) => {
        const { start_index, end_index } = rangeOf(link, "");
        const range = { start_index: start_index + more, end_index: end_index + more };
        return { type: "url_citation", url_citation: { ...(link === ofB ? B : A), ...range } };
      });
      chat.provider.reply = before + linked;
      chat.provider.events = () => chunk({ annotations });
      await readReply(await chat.stream({ model: CHAT, message: "What is new?" }));
      expect((await chat.last()).content).toBe(linked);
      expect(await chat.partsOf("source")).toMatchObject(expected);
    },
  );

  it("annotations of OpenAI's responses stand behind their words", async () => {
    const added = [
      { type: "url_citation", ...B, ...rangeOf(ofB, [""]) },
      { type: "url_citation", ...A, ...rangeOf(ofA, [""]) },
    ].map((annotation) =>
      event({ type: "response.output_text.annotation.added", output_index: 0, content_index: 0, annotation }),
    );
    expect(await ask(RESPONSES, linked, added.join(""))).toMatchObject(expected);
  });

  it("an annotation without a position stands behind the link to its address", async () => {
    const annotations = [{ type: "url_citation", url_citation: { ...A, start_index: 0, end_index: 0 } }];
    const [source] = await ask(CHAT, linked, chunk({ annotations }));
    expect(source?.at).toBe(linked.indexOf(A.url) + A.url.length + 1);
  });

  it("citations of Anthropic stand at the end of their block, behind an emoji too", async () => {
    const delta = { type: "citations_delta", citation: { type: "web_search_result_location", ...A, cited_text: "x" } };
    const sources = await ask(MESSAGES, "It is 👋 new.", event({ type: "content_block_delta", index: 0, delta }));
    expect(sources).toMatchObject([unchecked(13, "1", A)]);
  });

  it("an address that is none of the web is no source", async () => {
    const citations = ["javascript:alert(1)", A.url];
    const sources = await ask(CHAT, "No [1], yes [2].", chunk({}, { citations }));
    expect(sources).toMatchObject([unchecked(15, "2", { url: A.url })]);
  });

  it("numbers of tools stay those of tools, and further sources are numbered after them", async () => {
    await readReply(await chat.stream({ model: CHAT, message: "My cat is called Mikesch." }));
    const { token } = chat.ada;
    const other = await chat.createChat();
    await chat.app.call("PATCH", `/chat/${other}`, { token, body: { tools: ["chats"] } });
    scriptCalls(chat.provider, [[wireCall("chats__search_my_chats", { query: "Mikesch" })]], "Mikesch [1]. New.");
    chat.provider.events = ({ messages }) =>
      messages.at(-1)?.role === "tool"
        ? chunk({ annotations: [{ type: "url_citation", url_citation: { ...A, start_index: 13, end_index: 17 } }] })
        : "";
    const send = { token, body: { model: CHAT, message: "What is my cat called?" } };
    await readReply(await chat.app.call("POST", `/chat/${other}/send?stream=1`, send));
    const { messages } = (await (await chat.app.call("GET", `/chat/${other}`, { token })).json()) as Chat;
    const { parts = [] } = messages.at(-1) ?? {};
    expect(parts.filter(({ kind }) => kind === "source")).toMatchObject([
      { source: "1", at: 11, tool: 0 },
      { source: "2", at: 17, url: A.url, checked: "unchecked" },
    ]);
  });

  it("a later list of the same answer gives no number of an earlier source to another address", async () => {
    await chat.call("PATCH", "", { tools: ["chats"] });
    scriptCalls(chat.provider, [[wireCall("none__none", {})]]);
    const isFirst = ({ messages }: { messages: readonly { role: string }[] }) => messages.at(-1)?.role !== "tool";
    chat.provider.reply = (request) => (isFirst(request) ? "Red [1]." : "Blue [1], green [2].");
    chat.provider.events = (request) => chunk({}, { citations: isFirst(request) ? [A.url] : [B.url, A.url] });
    await readReply(await chat.stream({ model: CHAT, message: "What is new?" }));
    const { content, parts = [] } = await chat.last();
    expect(content).toBe("Red [1].\n\nBlue [1], green [2].");
    expect(parts.filter(({ kind }) => kind === "source")).toMatchObject([
      { at: 7, source: "1", url: A.url },
      { at: content.indexOf(", green"), source: "3", url: B.url },
      { at: content.length - 1, source: "1", url: A.url },
    ]);
  });

  it("sources of tools are numbered after those that the provider has named before", async () => {
    await readReply(await chat.stream({ model: CHAT, message: "My cat is called Mikesch." }));
    const { token } = chat.ada;
    const other = await chat.createChat();
    await chat.app.call("PATCH", `/chat/${other}`, { token, body: { tools: ["chats"] } });
    scriptCalls(chat.provider, [[wireCall("chats__search_my_chats", { query: "Mikesch" })]]);
    const isFirst = ({ messages }: { messages: readonly { role: string }[] }) => messages.at(-1)?.role !== "tool";
    chat.provider.reply = (request) => (isFirst(request) ? "New [1]." : "Mikesch [2].");
    chat.provider.events = (request) => (isFirst(request) ? chunk({}, { citations: [A.url] }) : "");
    const send = { token, body: { model: CHAT, message: "What is my cat called?" } };
    await readReply(await chat.app.call("POST", `/chat/${other}/send?stream=1`, send));
    const { messages } = (await (await chat.app.call("GET", `/chat/${other}`, { token })).json()) as Chat;
    const { content, parts = [] } = messages.at(-1) ?? {};
    expect(content).toBe("New [1].\n\nMikesch [2].");
    expect(parts.filter(({ kind }) => kind === "source")).toMatchObject([
      { source: "1", url: A.url },
      { source: "2", tool: expect.any(Number) },
    ]);
  });

  it("all calls of an answer have 200 citations together", async () => {
    await chat.call("PATCH", "", { tools: ["chats"] });
    scriptCalls(chat.provider, [[wireCall("none__none", {})]]);
    chat.provider.reply = "[1] ".repeat(150);
    chat.provider.events = () => chunk({}, { citations: [A.url] });
    await readReply(await chat.stream({ model: CHAT, message: "What is new?" }));
    const { parts = [] } = await chat.last();
    expect(parts.filter(({ kind }) => kind === "source")).toHaveLength(200);
  });

  it("200 citations behind an emoji of a long text stand behind their words", async () => {
    const text = `👋${"word [ ".repeat(20_000)}`;
    const annotations = Array.from({ length: 200 }, (_, nth) => ({
      type: "url_citation",
      url_citation: { ...A, start_index: 100_000 + nth, end_index: 100_002 + nth },
    }));
    const sources = await ask(CHAT, text, chunk({ annotations }));
    expect(sources.map(({ at }) => at)).toEqual(annotations.map((_, nth) => 100_003 + nth));
  });

  it("an answer of more marks than a reply can have citations has the first 200", async () => {
    const sources = await ask(CHAT, "[1] ".repeat(10_000), chunk({}, { citations: [A.url] }));
    expect(sources.map(({ at }) => at)).toEqual(Array.from({ length: 200 }, (_, nth) => 3 + 4 * nth));
  });

  it.each([
    ["a stop", "stopped", () => chat.call("POST", "/stop")],
    ["a connection that breaks off", "failed", async () => chat.provider.breakOff()],
  ])("sources that a provider has named before %s are kept", async (_, state, end) => {
    const annotation = { type: "url_citation", url_citation: { ...B, start_index: 9, end_index: 13 } };
    const events = readEvents(await chat.stream({ model: CHAT, message: "[scenario:held]" }));
    chat.provider.release("Red [1]. Blue");
    chat.provider.emit(chunk({ annotations: [annotation] }, { citations: [A.url] }));
    chat.provider.release(" and green");
    for await (const each of events) {
      if (each === "[DONE]") break;
      if (each.token?.includes("green")) await end();
    }
    expect(await chat.last()).toMatchObject({ state, content: "Red [1]. Blue and green" });
    expect(await chat.partsOf("source")).toMatchObject([
      unchecked(7, "1", { url: A.url }),
      unchecked(13, "2", { url: B.url }),
    ]);
  });

  it("a temporary answer has them too", async () => {
    chat.provider.reply = "New [1].";
    chat.provider.events = () => chunk({}, { citations: [A.url] });
    const response = await askTemporary(["What?"], { model: CHAT }, { app: chat.app, account: chat.ada });
    const sources: unknown[] = [];
    for await (const each of readEvents(response)) {
      if (each !== "[DONE]" && each.part?.kind === "source") sources.push(each.part);
    }
    expect(sources).toMatchObject([unchecked(7, "1", { url: A.url })]);
  });
});
