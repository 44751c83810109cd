import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { SearchResult } from "#contract/conversation/search.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { search as searchFor } from "../../testing/chats/search-for.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../testing/provider/scripted-provider.ts";

let provider: ScriptedProvider;
let app: TestApp;
beforeAll(async () => {
  provider = await startScriptedProvider();
  app = await startTestApp({ env: { OPENAI_API_KEY: "scripted-key", OPENAI_BASE_URL: provider.baseUrl } });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const model = "GPT:gpt-5-mini";

async function newChat({ token }: TestAccount): Promise<string> {
  return ((await (await app.call("POST", conversationPaths.chats, { token })).json()) as { id: string }).id;
}

async function append({ token }: TestAccount, chat: string, content: string, role = "assistant"): Promise<string> {
  const response = await app.call("POST", conversationPaths.chatMessage(chat), { token, body: { role, content } });
  return ((await response.json()) as { id: string }).id;
}

const search = ({ token }: TestAccount, query: Record<string, string | number>) => searchFor(app, token, query);

const found = async (account: TestAccount, q: string, more: Record<string, string | number> = {}) =>
  (await search(account, { q, ...more })).hits.map(({ messageId }) => messageId);
/** Returns the marked texts of the first hit. */
const markedIn = ({ hits: [hit] }: SearchResult) => hit?.marks.map(([start, end]) => hit.snippet.slice(start, end));

describe("hits", () => {
  it("a hit contains every word as a prefix, regardless of case and accents", async () => {
    const ada = await signUp(app);
    const chat = await newChat(ada);
    const creme = await append(ada, chat, "A recipe for **Crème** brûlée with va\u0301nilla");
    await append(ada, chat, "Ice cream");
    expect(await found(ada, "creme BRULEE")).toEqual([creme]);
    expect(await found(ada, "van rec")).toEqual([creme]);
    expect(await found(ada, "c")).toHaveLength(2);
    expect(await found(ada, "cr")).toHaveLength(2);
    expect(await found(ada, "anilla")).toEqual([]);
    expect(markedIn(await search(ada, { q: "creme van" }))).toEqual(["Crème", "va\u0301n"]);
  });

  it("a hit contains the literal query in scripts without spaces", async () => {
    const ada = await signUp(app);
    const chat = await newChat(ada);
    const tokyo = await append(ada, chat, "東京都の天気は晴れです。");
    // Contains each pair of characters of the query, but not the whole query.
    await append(ada, chat, "東京 と 京都");
    expect(await found(ada, "東京都")).toEqual([tokyo]);
    expect(await found(ada, "都")).toHaveLength(2);
    expect(await found(ada, "天気 東京")).toEqual([tokyo]);
    expect(markedIn(await search(ada, { q: "天気は" }))).toEqual(["天気は"]);
  });

  it("a result lists titles first, but not the titles of unnamed chats", async () => {
    const ada = await signUp(app);
    const chat = await newChat(ada);
    expect(await found(ada, "New chat")).toEqual([]);
    const question = await append(ada, chat, "Lighthouses of Brittany", "user");
    const { hits } = await search(ada, { q: "light" });
    expect(hits.map(({ messageId }) => messageId)).toEqual([null, question]);
    expect(hits[0]).toMatchObject({
      chatId: chat,
      title: "Lighthouses of Brittany",
      role: null,
      snippet: hits[0]?.title,
    });
  });

  it("a reply is found after its end, like its question and title", async () => {
    const ada = await signUp(app);
    const chat = await newChat(ada);
    provider.reply = () => "Kingfishers nest in burrows.";
    const body = { message: "Where do halcyons breed?", model };
    await app.call("POST", conversationPaths.chatSend(chat), { token: ada.token, body });
    const { hits } = await search(ada, { q: "kingf", model, role: "assistant" });
    expect(hits).toMatchObject([{ chatId: chat, role: "assistant", model, snippet: "Kingfishers nest in burrows." }]);
    expect(await found(ada, "halcyons", { role: "user" })).toHaveLength(1);
    expect(await found(ada, "halcyons", { role: "assistant" })).toEqual([]);
    expect(await found(ada, "kingf", { model: "GPT:gpt-5" })).toEqual([]);
  });

  it("a result is empty for a query without words", async () => {
    const ada = await signUp(app);
    await append(ada, await newChat(ada), "😀 !!! ... hello");
    for (const q of ["", "  ", "😀", "…", "\"*'()&|:!-"])
      expect(await search(ada, { q })).toEqual({ hits: [], next: null });
    expect((await search(ada, {})).hits).toEqual([]);
    expect(await found(ada, 'hello" OR *')).toEqual([]);
    expect(await found(ada, '"hello":* &')).toHaveLength(1);
  });

  it("a hit disappears with its chat", async () => {
    const ada = await signUp(app);
    const chat = await newChat(ada);
    await append(ada, chat, "ephemeral", "user");
    expect(await found(ada, "ephemeral")).toHaveLength(2);
    await app.call("DELETE", conversationPaths.chat(chat), { token: ada.token });
    expect(await found(ada, "ephemeral")).toEqual([]);
  });

  it("V3 a hit never belongs to another account", async () => {
    const [ada, eve] = [await signUp(app), await signUp(app)];
    const chat = await newChat(ada);
    await append(ada, chat, "canary of ada", "user");
    const mark = `qu${ada.user.id.replaceAll("-", "")}`;
    await append(eve, await newChat(eve), `canary of eve ${mark} u${mark} ${ada.user.id}`);
    expect((await search(ada, { q: "canary" })).hits).toHaveLength(2);
    expect((await search(ada, { q: "canary" })).hits.every(({ chatId }) => chatId === chat)).toBe(true);
    for (const q of ["eve", mark, `u${mark}`]) expect(await found(ada, q)).toEqual([]);
    expect(await found(eve, "ada")).toEqual([]);
  });
});

it("a snippet is about 160 characters around the densest matches, in whole words, without extra white space", async () => {
  const ada = await signUp(app);
  const filler = Array.from({ length: 300 }, (_, index) => `filler${index}\n\n`).join("");
  await append(ada, await newChat(ada), `needle ${filler} a <b>needle</b> in a haystack ${filler}`);
  const result = await search(ada, { q: "needle haystack" });
  const snippet = result.hits[0]?.snippet ?? "";
  expect(snippet).toMatch(/^…(filler\d+ )+a needle in a haystack( filler\d+)+…$/);
  expect(snippet.length).toBeLessThan(180);
  expect(markedIn(result)).toEqual(["needle", "haystack"]);
});

it("pages of hits have no gaps or repetitions while messages are added and removed", async () => {
  const ada = await signUp(app);
  const chat = await newChat(ada);
  const ids: string[] = [];
  for (let n = 0; n < 25; n++) ids.push(await append(ada, chat, n % 3 === 0 ? `page turner ${n}` : `pages ${n}`));
  const seen: (string | null)[] = [];
  for (let before: string | null = ""; before !== null; ) {
    const page: SearchResult = await search(ada, { q: "page", limit: 4, ...(before && { before }) });
    expect(page.hits.length).toBeLessThanOrEqual(4);
    seen.push(...page.hits.map(({ messageId }) => messageId));
    before = page.next;
    await append(ada, chat, "page that comes later");
  }
  expect(seen).toHaveLength(25);
  expect([...seen].sort()).toEqual([...ids].sort());
  // Matches of whole words are listed first.
  expect(seen.slice(0, 9)).toEqual(ids.filter((_, n) => n % 3 === 0).reverse());
});

it("filters hits by the time of their messages", async () => {
  const ada = await signUp(app);
  const id = await append(ada, await newChat(ada), "timely");
  const { hits } = await search(ada, { q: "timely" });
  const at = hits[0]?.at ?? 0;
  expect(await found(ada, "timely", { from: at, to: at })).toEqual([id]);
  expect(await found(ada, "timely", { from: at + 1 })).toEqual([]);
  expect(await found(ada, "timely", { to: at - 1 })).toEqual([]);
});

it("a search refuses invalid input and requests without a session", async () => {
  const { token } = await signUp(app);
  for (const query of [
    "limit=0",
    "limit=51",
    "before=x",
    "before=1.2.3.4.5.6",
    "from=-1",
    "role=admin",
    `q=${"x".repeat(201)}`,
  ]) {
    expect([query, (await app.call("GET", `${conversationPaths.search}?${query}`, { token })).status]).toEqual([
      query,
      400,
    ]);
  }
  expect((await app.call("GET", `${conversationPaths.search}?q=x`)).status).toBe(401);
});
