import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  ENGINE_KEY,
  engineRefusals,
  type ScriptedEngine,
  startSearchEngine,
} from "../../../testing/browsing/search-engines.ts";
import { scriptedNames } from "../../../testing/browsing/web-server.ts";
import { unusedAddress } from "../../../testing/provider/model-calls.ts";
import { startTlsFront } from "../../../testing/servers/tls-front.ts";
import { Outbound } from "../../outbound/outbound.ts";
import { OutboundGuard } from "../../outbound/outbound-guard.ts";
import { checkSearchEngine, type SearchEngine, type SearchEngineKind, searchWeb } from "./search-web.ts";

const KINDS: SearchEngineKind[] = ["searxng", "brave", "tavily"];
/** As in production: 127.0.0.1 is not public, and reached as the address of an owner only. */
const guard = new OutboundGuard({ outbound: new Outbound() });

let opened: AsyncDisposableStack;
beforeEach(() => {
  opened = new AsyncDisposableStack();
});
afterEach(() => opened.disposeAsync());

const start = async (kind: SearchEngineKind) => opened.use(await startSearchEngine(kind));
const search = (scripted: ScriptedEngine, query = "red pandas", by = guard) => searchWeb(by, scripted.engine, query);

async function failureOf(engine: SearchEngine, by = guard) {
  const failure = await checkSearchEngine(by, engine);
  expect(inspect(failure)).not.toContain(ENGINE_KEY);
  if (typeof failure === "number") return undefined;
  const { code, reason, retryAfterSeconds } = failure;
  return { code, ...(reason && { reason }), ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}

describe.each(KINDS)("%s", (kind) => {
  it(`${kind} is searched in its own wire, and its results have one shape`, async () => {
    const scripted = await start(kind);
    scripted.results = [
      { url: "https://a.test/1", title: "One", text: "First", date: scripted.date },
      { url: "http://b.test/2?q=x", title: "Two", text: "Second" },
    ];
    expect(await search(scripted, '  pandas & "bamboo" 熊猫\uD800 ')).toEqual([
      { url: "https://a.test/1", title: "One", snippet: "First", publishedAt: Date.UTC(2026, 4, 2, 10) },
      { url: "http://b.test/2?q=x", title: "Two", snippet: "Second" },
    ]);
    expect(scripted.queries).toEqual(['pandas & "bamboo" 熊猫\uFFFD']);
  });

  it(`${kind} may find nothing, and is not asked for nothing`, async () => {
    const scripted = await start(kind);
    expect(await search(scripted)).toEqual([]);
    expect(await search(scripted, " \n ")).toEqual([]);
    expect(scripted.queries).toHaveLength(1);
  });

  it(`${kind} returns results of the web only, each address once`, async () => {
    const scripted = await start(kind);
    const addresses = [
      "https://A.test",
      "https://a.test/#part",
      "https://a.test/",
      "javascript:alert(1)",
      "ftp://a.test/",
    ];
    const others = [
      "data:text/html,a",
      "/relative",
      "",
      null,
      7,
      {},
      "https://user:secret@a.test/",
      "https://a.test/b",
    ];
    scripted.results = [...addresses, ...others].map((url) => ({ url, title: "Title", text: "Text" }));
    expect((await search(scripted)).map(({ url }) => url)).toEqual(["https://a.test/", "https://a.test/b"]);
  });

  it(`${kind} returns bounded and well-formed results`, async () => {
    const scripted = await start(kind);
    const rows = Array.from({ length: 50 }, (_, at) => ({ url: `https://a.test/${at}`, title: `${at}`, text: "" }));
    scripted.results = [
      { url: `https://a.test/${"a".repeat(2000)}`, title: "Too long", text: "" },
      { url: "https://b.test/", title: `a\uD800\n\t b${"😀".repeat(1000)}`, text: "x".repeat(100_000) },
      { url: "https://c.test/page", title: null, text: ["none"], date: "some day" },
      ...rows,
    ];
    const results = await search(scripted);
    expect(results).toHaveLength(20);
    expect(results[0]?.title).toBe(`a\uFFFD b${"😀".repeat(148)}`);
    expect(results[0]?.snippet).toHaveLength(1000);
    expect(results[1]).toEqual({ url: "https://c.test/page", title: "c.test", snippet: "" });
  });

  it(`${kind} is not sent more than 400 characters`, async () => {
    const scripted = await start(kind);
    await search(scripted, "word".repeat(1000));
    expect(scripted.queries[0]).toHaveLength(400);
  });

  it(`${kind} works or reports a wrong key, which no error contains`, async () => {
    const scripted = await start(kind);
    expect(await failureOf(scripted.engine)).toBeUndefined();
    const others = kind === "searxng" ? ["a\nb"] : ["other", "a\nb", "ключ", "", undefined];
    for (const key of others) expect(await failureOf({ ...scripted.engine, key })).toEqual({ code: "key" });
  });

  it(`a test of ${kind} counts its results`, async () => {
    const scripted = await start(kind);
    expect(await checkSearchEngine(guard, scripted.engine)).toBe(0);
    scripted.results = [{ url: "https://a.test/", title: "One", text: "First" }];
    expect(await checkSearchEngine(guard, scripted.engine)).toBe(1);
  });

  it(`${kind} may have an address with a path, also that of its own`, async () => {
    const scripted = await start(kind);
    const { address = "" } = scripted.engine;
    for (const path of ["/", "/?q=x#y", new URL(scripted.web.requests[0]?.path ?? "/", address).pathname]) {
      expect(await failureOf({ ...scripted.engine, address: address + path })).toBeUndefined();
    }
    const [{ path: own = "" } = {}] = scripted.web.requests;
    const [ownPath = ""] = own.split("?", 1);
    expect(await failureOf({ ...scripted.engine, address: address + ownPath })).toBeUndefined();
    expect(await failureOf({ ...scripted.engine, address: `${address}/other` })).toEqual({
      code: "not-a-search-engine",
    });
  });

  it(`${kind} that cannot be reached is reported with the reason`, async () => {
    const { engine, web } = await start(kind);
    const resolving = new OutboundGuard({ outbound: new Outbound(), find: scriptedNames({}).find });
    const reasonOf = async (address: string) => await failureOf({ ...engine, address }, resolving);
    const front = opened.use(await startTlsFront(web.port));
    const unreachable = (reason: string) => ({ code: "unreachable", reason });
    expect(await reasonOf(await unusedAddress())).toEqual(unreachable("refused"));
    expect(await reasonOf("http://unknown.test")).toEqual(unreachable("name"));
    expect(await reasonOf(`https://127.0.0.1:${front.port}`)).toEqual(unreachable("certificate"));
    expect(await reasonOf("http://169.254.169.254")).toEqual(unreachable("not-public"));
    for (const address of ["engine", "ftp://engine.test", `http://user:secret@127.0.0.1:${web.port}`]) {
      expect(await reasonOf(address)).toEqual(unreachable("address"));
    }
  });

  it(`N4 ${kind} that redirects elsewhere is not followed`, async () => {
    const scripted = await start(kind);
    const elsewhere = await start(kind);
    const location = `${elsewhere.engine.address}/search`;
    scripted.failure = { status: 307, headers: { location }, body: "" };
    expect(await failureOf(scripted.engine)).toEqual({ code: "unreachable", reason: "redirect" });
    expect(elsewhere.web.connections).toBe(0);
  });

  it(`${kind} that answers without end is no search engine`, async () => {
    const scripted = await start(kind);
    scripted.failure = { body: Buffer.alloc(3 * 1024 * 1024, "[") };
    expect(await failureOf(scripted.engine)).toEqual({ code: "not-a-search-engine" });
    scripted.failure = { body: Buffer.alloc(1024 * 1024, "[") };
    expect(await failureOf(scripted.engine)).toEqual({ code: "not-a-search-engine" });
  });

  it(`${kind} is left when the signal is aborted`, async () => {
    const scripted = await start(kind);
    const leaving = new AbortController();
    scripted.failure = () => leaving.abort(new Error("Gone"));
    const { signal } = leaving;
    await expect(searchWeb(guard, scripted.engine, "pandas", { signal })).rejects.toThrow("Gone");
    await expect(checkSearchEngine(guard, scripted.engine, { signal })).rejects.toThrow("Gone");
  });
});

it.each(engineRefusals)("%s is reported that refuses with %s", async (kind, _, refusal, expected) => {
  const scripted = await start(kind);
  scripted.failure = refusal;
  expect(await failureOf(scripted.engine)).toEqual(expected);
});

it("Brave's marks of HTML are read as text", async () => {
  const scripted = await start("brave");
  const text = "It&#x27;s <strong>a&lt;b</strong> &amp; 1 < 2 &eacute;&#0;&unknown; &amp;lt;";
  scripted.results = [{ url: "https://a.test/", title: "Q&amp;A", text }];
  const [result] = await search(scripted);
  expect(result?.title).toBe("Q&A");
  expect(result?.snippet).toBe("It's a<b & 1 < 2 é\uFFFD&unknown; &lt;");
});

it("Brave is sent at most 50 words, and the others' texts are no HTML", async () => {
  const scripted = await start("brave");
  await search(scripted, "a ".repeat(100));
  expect(scripted.queries[0]?.split(" ")).toHaveLength(50);
  const plain = await start("tavily");
  plain.results = [{ url: "https://a.test/", title: "a<b>c &amp;", text: "" }];
  expect((await search(plain))[0]?.title).toBe("a<b>c &amp;");
});

it("SearXNG needs an address, and no key", async () => {
  const { engine } = await start("searxng");
  expect(await failureOf({ kind: "searxng", address: engine.address })).toBeUndefined();
  expect(await failureOf({ kind: "searxng" })).toEqual({ code: "unreachable", reason: "address" });
});

it("a public engine without an address of its own is that of the service", async () => {
  const { find, asked } = scriptedNames({});
  const by = new OutboundGuard({ outbound: new Outbound(), find });
  for (const kind of ["brave", "tavily"] as const) {
    expect(await failureOf({ kind, key: ENGINE_KEY }, by)).toEqual({ code: "unreachable", reason: "name" });
  }
  expect(asked).toEqual(["api.search.brave.com", "api.tavily.com"]);
});
