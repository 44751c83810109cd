import { readFileSync } from "node:fs";
import tls from "node:tls";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { S3Harness } from "../../testing/files/s3-harness.ts";
import { readEvents } from "../../testing/http/read-events.ts";
import { unusedAddress } from "../../testing/provider/model-calls.ts";
import { type ForwardProxy, startForwardProxy } from "../../testing/servers/forward-proxy.ts";
import { GOOGLE_CLIENT_ID, startKeyServer } from "../../testing/servers/key-server.ts";
import { privateCaFile, startTlsFront } from "../../testing/servers/tls-front.ts";
import { startTraceCollector } from "../../testing/servers/trace-collector.ts";
import { parseConfig } from "../config/config.ts";
import { openStores, storesSettingsOf } from "../files/stores/open-stores.ts";

const MODEL = "GPT:gpt-5-mini";

let opened: AsyncDisposableStack;
let proxy: ForwardProxy;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  proxy = opened.use(await startForwardProxy());
});
afterEach(() => opened.disposeAsync());

/** Replaces the host of a URL by a name that only the proxy resolves. */
const named = (url: string) => url.replace("127.0.0.1", "provider.test");

async function startChat(env: (baseUrl: string) => Record<string, string>): Promise<ScriptedChat> {
  const chat = opened.use(await startScriptedChat(env));
  await chat.renew();
  return chat;
}

const throughProxy = (baseUrl: string) => ({ ...proxy.env(), OPENAI_BASE_URL: named(baseUrl) });

describe("a provider behind a proxy", () => {
  it("a provider behind a proxy is called in absolute form, and its answer streams", async () => {
    const chat = await startChat(throughProxy);
    const response = await chat.stream({ message: "[scenario:held]", model: MODEL });
    chat.provider.release("The first words");
    await readUntil(response, "first words");
    expect(chat.provider.chats[0]?.isAborted).toBe(false);
    const { host } = new URL(named(chat.provider.url));
    expect(proxy.requests).toContainEqual({
      method: "POST",
      target: `http://${host}/v1/chat/completions`,
      authorization: undefined,
    });
    expect(chat.provider.chats[0]?.headers).toMatchObject({ host, authorization: "Bearer scripted-key" });
    expect(chat.provider.chats[0]?.headers).not.toHaveProperty("proxy-authorization");
    chat.provider.finish();
  });

  it("Stop closes the connection of a provider behind a proxy", async () => {
    const chat = await startChat(throughProxy);
    const response = await chat.stream({ message: "[scenario:held]", model: MODEL });
    chat.provider.release("Kept words");
    await readUntil(response, "Kept");
    expect((await chat.call("POST", "/stop")).status).toBe(204);
    await (await chat.provider.chat(1)).closed;
    expect(await chat.last()).toMatchObject({ content: "Kept words", state: "stopped" });
  });

  it("the proxy receives its password, and the provider behind it does not", async () => {
    const HTTP_PROXY = proxy.url.replace("http://", "ada:p%40ss@");
    const chat = await startChat((baseUrl) => ({ HTTP_PROXY, OPENAI_BASE_URL: named(baseUrl) }));
    await chat.send({ model: MODEL });
    expect(proxy.requests[0]?.authorization).toBe(`Basic ${Buffer.from("ada:p@ss").toString("base64")}`);
    expect(chat.provider.chats[0]?.headers).not.toHaveProperty("proxy-authorization");
  });

  it("a provider with TLS is reached by a tunnel, and its certificate is verified", async () => {
    trustPrivateCa();
    const chat = await startTlsChat("provider.test");
    await chat.send({ model: MODEL });
    expect(await chat.last()).toMatchObject({ content: chat.provider.reply, state: "complete" });
    expect(proxy.requests[0]).toMatchObject({
      method: "CONNECT",
      target: expect.stringMatching(/^provider\.test:\d+$/),
    });
    const other = await startTlsChat("other.test");
    expect((await other.send({ model: MODEL })).ai_response).toBeNull();
  });

  it.each([
    ["NO_PROXY", "provider.test"],
    ["no_proxy", "*"],
  ])("a provider is called directly with %s=%s", async (name, value) => {
    // Without the proxy the name leads nowhere.
    const chat = await startChat((baseUrl) => ({ ...throughProxy(baseUrl), [name]: value }));
    expect((await chat.send({ model: MODEL })).ai_response).toBeNull();
    expect(proxy.requests).toEqual([]);
  });

  it("a provider on this machine is called directly, though a proxy is set", async () => {
    const chat = await startChat(() => proxy.env());
    expect((await chat.send({ model: MODEL })).ai_response).toMatchObject({ content: chat.provider.reply });
    expect(proxy.requests).toEqual([]);
  });
});

describe("a proxy that fails", () => {
  it.each([
    ["http", 407, "proxy_password"],
    ["https", 407, "proxy_password"],
    ["https", 403, "proxy_refused"],
  ])("a proxy is named by an %s call that it refuses with %i", async (scheme, status, code) => {
    const chat = scheme === "https" ? await startTlsChat("provider.test") : await startChat(throughProxy);
    proxy.refusal = status;
    await expectProxyFailure(chat, code);
  });

  it.each(["http", "https"])("a proxy that cannot be reached is named by an %s call", async (scheme) => {
    const away = await unusedAddress();
    const env = { HTTP_PROXY: away, HTTPS_PROXY: away };
    const chat = await startChat((baseUrl) => ({
      ...env,
      OPENAI_BASE_URL: named(baseUrl).replace("http:", `${scheme}:`),
    }));
    await expectProxyFailure(chat, "proxy_unreachable");
  });

  it("a proxy that never answers does not hold a reply that is stopped", async () => {
    proxy.isSilent = true;
    const chat = await startTlsChat("provider.test");
    const sent = chat.send({ model: MODEL });
    await vi.waitUntil(() => proxy.requests.length > 0);
    expect((await chat.call("POST", "/stop")).status).toBe(204);
    expect((await sent).ai_response).toBeNull();
  });
});

describe("other requests that leave the server", () => {
  it("requests to a bucket use the proxy", async () => {
    const harness = opened.use(new S3Harness());
    await harness.open();
    const { FILES_URL = "", ...keys } = harness.server.envFor();
    const env = { ...keys, ...proxy.env(), FILES_URL: named(FILES_URL) };
    const settings = storesSettingsOf(parseConfig(env));
    const app = await startApp({});
    const stores = opened.use(await openStores({ database: app.context.database, ...settings }));
    await stores.check();
    expect(proxy.requests.length).toBeGreaterThan(0);
    expect(proxy.requests.length).toBe(harness.server.requests.length);
  });

  it("requests for the keys of Google use the proxy", async () => {
    const google = opened.use(await startKeyServer());
    const app = await startApp({ ...proxy.env(), GOOGLE_CLIENT_ID, GOOGLE_JWKS_URL: named(google.url) });
    const response = await app.call("POST", accountPaths.google, { body: { id_token: await google.issueIdToken() } });
    expect(response.status).toBe(200);
    expect(proxy.requests).toEqual([{ method: "GET", target: named(google.url), authorization: undefined }]);
  });

  it("traces use the proxy", async () => {
    const collector = opened.use(await startTraceCollector());
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: named(collector.url), OTEL_BSP_SCHEDULE_DELAY: "50" };
    const app = await startApp({ ...proxy.env(), ...env });
    await app.call("GET", accountPaths.me);
    await collector.exports(1);
    expect(proxy.requests[0]).toMatchObject({ method: "POST", target: `${named(collector.url)}/v1/traces` });
  });
});

/** Reads a stream until a word, and leaves it. */
async function readUntil(response: Response, word: string): Promise<void> {
  for await (const event of readEvents(response)) if (event !== "[DONE]" && event.token?.includes(word)) return;
}

async function startApp(env: Record<string, string>): Promise<TestApp> {
  return opened.use(await startTestApp({ env }));
}

async function startTlsChat(host: string): Promise<ScriptedChat> {
  const { provider } = await startChat(() => ({}));
  const front = opened.use(await startTlsFront(provider.port));
  const OPENAI_BASE_URL = `https://${host}:${front.port}/v1`;
  const chat = await startChat(() => ({ ...proxy.env(), OPENAI_BASE_URL }));
  return Object.assign(chat, { provider });
}

/** Lets this process trust the authority of the tests until the test is finished. */
function trustPrivateCa(): void {
  const before = tls.getCACertificates("default");
  tls.setDefaultCACertificates([...before, readFileSync(privateCaFile, "utf8")]);
  onTestFinished(() => tls.setDefaultCACertificates(before));
}

/** Expects a reply to fail, the log to name the failure, and a test of the provider to name the proxy. */
async function expectProxyFailure(chat: ScriptedChat, code: string): Promise<void> {
  expect(await chat.send({ model: MODEL })).toMatchObject({ ai_response: null });
  expect(chat.app.logLines.join()).toContain(`assistant-unreachable, ${code}`);
  const { token } = await signUpAs(chat.app, "administrator");
  const test = await chat.app.call("POST", administrationPaths.providerCheck("openai"), { token, body: {} });
  expect(await test.json()).toMatchObject({ ok: false, code: "assistant-unreachable", reason: "proxy" });
}
