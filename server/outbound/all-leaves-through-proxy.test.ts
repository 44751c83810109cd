import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import type { ConnectionKind } from "#contract/administration/connections.ts";
import { OwnerOfConnections } from "../../testing/accounts/connections.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import { newPerson } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { startSearchEngine } from "../../testing/browsing/search-engines.ts";
import { startWebServer } from "../../testing/browsing/web-server.ts";
import { startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { startScriptedProvider } from "../../testing/provider/scripted-provider.ts";
import { type ForwardProxy, startForwardProxy } from "../../testing/servers/forward-proxy.ts";
import { MailServer } from "../../testing/servers/mail-server.ts";
import { PageReader } from "../browsing/read-page.ts";
import { OutboundGuard } from "./outbound-guard.ts";

let opened: AsyncDisposableStack;
let proxy: ForwardProxy;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  proxy = opened.use(await startForwardProxy());
});
afterEach(() => opened.disposeAsync());

const start = async (env: Record<string, string> = {}): Promise<TestApp> =>
  opened.use(await startTestApp({ env: { ...proxy.env(), ...env } }));

/** Replaces the host of a URL by a name that only the proxy resolves. */
const named = (url: string) => url.replace("127.0.0.1", "elsewhere.test");

/** Expects that the proxy has forwarded requests, all of them to the name. */
function expectForwarded(): void {
  expect(proxy.requests.length).toBeGreaterThan(0);
  for (const { target } of proxy.requests) expect(target).toMatch(/^http:\/\/elsewhere\.test:\d+\//);
}

it.each<ConnectionKind>(["openai", "anthropic", "azure", "ollama"])(
  "requests of a stored connection of the kind %s go through the proxy",
  async (kind) => {
    const provider = opened.use(await startScriptedProvider());
    const app = await start();
    const owner = new OwnerOfConnections(app, await signUpAs(app, "owner"));
    await owner.create({ kind, name: "Elsewhere", baseUrl: named(provider.baseUrl), apiKey: "sk-any" });
    await vi.waitFor(expectForwarded);
  },
);

it("a provider with Anthropic's API is called through the proxy", async () => {
  const env = (baseUrl: string) => ({
    ...proxy.env(),
    OPENAI_API_KEY: "",
    ANTHROPIC_API_KEY: "sk-any",
    ANTHROPIC_BASE_URL: named(baseUrl),
  });
  const chat = opened.use(await startScriptedChat(env));
  await chat.renew();
  const { ai_response } = await chat.send({ model: "CLAUDE:claude-haiku-5-5" });
  expect(ai_response).toMatchObject({ content: chat.provider.reply });
  expectForwarded();
});

it("a search engine is asked through the proxy", async () => {
  const engine = opened.use(await startSearchEngine("searxng"));
  engine.results = [{ url: "https://example.org/", title: "Example", text: "An example" }];
  const { context } = await start({ SEARCH_URL: named(engine.engine.address ?? "") });
  const current = context.webSearch.current();
  if (!current) throw new Error("There is no engine");
  expect(await context.webSearch.search(current, "words")).toHaveLength(1);
  expectForwarded();
});

it("pages are read through the proxy", async () => {
  const web = opened.use(await startWebServer());
  web.answers.set("/page", { body: "<title>Tides</title><p>The moon moves the sea.</p>" });
  const { context } = await start();
  const guard = new OutboundGuard({ outbound: context.outbound });
  await using reader = new PageReader({ guard, clock: context.clock });
  const flow = { account: "ada", network: "192.0.2.1" };
  const page = await reader.read(web.url("/page", "elsewhere.test"), { flow });
  expect(JSON.stringify(page)).toContain("The moon moves the sea.");
  expectForwarded();
});

it("mails are sent directly, because proxies of HTTP do not carry them", async () => {
  const mail = opened.use(new MailServer());
  await mail.start();
  const app = await start({ SMTP_URL: mail.url });
  const person = newPerson();
  await app.call("POST", accountPaths.register, { body: person });
  expect(await mail.waitForMail(person.email)).toMatchObject({ recipients: [person.email] });
  expect(proxy.requests).toEqual([]);
});
