import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { followAccount } from "../../../testing/accounts/follow-account.ts";
import { signUp } from "../../../testing/accounts/sign-up.ts";
import { startTestApp } from "../../../testing/app/start-test-app.ts";
import { type ScriptedChat, startScriptedChat } from "../../../testing/chats/scripted-chat.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";
import { startTraceCollector, type TraceCollector } from "../../../testing/servers/trace-collector.ts";

const QUESTION = "How deep is Sognefjorden?";
const MODEL = "GPT:gpt-5-mini";
const SEND = "POST /api/chat/:id/send";

let opened: AsyncDisposableStack;
let collector: TraceCollector;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  collector = opened.use(await startTraceCollector());
});
afterEach(() => opened.disposeAsync());

const traced = () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: "50" });

async function startChat(env: Record<string, string> = {}): Promise<ScriptedChat> {
  const chat = opened.use(await startScriptedChat({ ...traced(), ...env }));
  await chat.renew();
  return chat;
}

const named = (name: string) => collector.span((span) => span.name === name);

describe("traces of requests", () => {
  it("traces contain a send from its request to the provider's call, as nested spans", async () => {
    const chat = await startChat({
      OTEL_SERVICE_NAME: "parley-test",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=a%20test",
      OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=fjords",
    });
    await chat.send({ message: QUESTION, model: MODEL });
    const request = await named(SEND);
    const reply = await named("reply");
    const call = await collector.span(({ parentSpanId }) => parentSpanId === reply.spanId);
    const transaction = await collector.span(
      ({ name, parentSpanId }) => name === "transaction" && parentSpanId === request.spanId,
    );
    expect([reply.traceId, call.traceId, transaction.traceId]).toEqual(Array(3).fill(request.traceId));
    expect([request.parentSpanId ?? "", reply.parentSpanId]).toEqual(["", request.spanId]);
    expect(request.attributes).toMatchObject({
      "http.route": "/api/chat/:id/send",
      "http.response.status_code": 200,
    });
    const characters = String(chat.provider.reply).length;
    expect(reply.attributes).toMatchObject({
      "parley.reply.outcome": "complete",
      "parley.reply.characters": characters,
      "parley.reply.first_text_ms": expect.any(Number),
    });
    expect(call).toMatchObject({ name: `chat ${MODEL}`, attributes: { "gen_ai.request.model": MODEL } });
    expect(collector.resource).toMatchObject({
      "service.name": "parley-test",
      "deployment.environment.name": "a test",
    });
    expect(collector.headers[0]).toMatchObject({ "x-tenant": "fjords" });
  });

  it("traces contain the error of a failed call", async () => {
    const chat = await startChat();
    await chat.send({ message: `${QUESTION} [scenario:wrong-key]`, model: MODEL });
    const call = await named(`chat ${MODEL}`);
    expect(call.attributes).toMatchObject({ "parley.error.code": "assistant-misconfigured" });
    const reply = await named("reply");
    expect(reply.attributes).toMatchObject({ "parley.reply.outcome": "failed" });
    expect([call.status.code, reply.status.code]).toEqual([2, 2]);
  });

  it("traces contain no text, name, address or token", async () => {
    const chat = await startChat({ REGISTRATION_DOMAINS: "example.org" });
    const { token, user, password } = chat.ada;
    const held = await chat.stream({ message: `${QUESTION} [scenario:held]` });
    chat.provider.release("Deeper than thirteen hundred metres");
    chat.provider.finish();
    await held.text();
    await chat.send({ message: `${QUESTION} [scenario:wrong-key]` });
    await chat.app.call("GET", "/search?q=Sognefjorden", { token });
    await chat.app.call("GET", "/Sognefjorden", { token, headers: { "user-agent": "Sognefjorden" } });
    await chat.app.call("POST", accountPaths.login, { body: { username: user.username, password } });
    await collector.span(({ name }) => name === "POST /api/auth/login");
    await chat.app[Symbol.asyncDispose]();
    const all = collector.bodies.join("\n");
    const secrets = [token, user.username, user.email, user.id, password, chat.chatId, "127.0.0.1", "scripted-key"];
    for (const word of ["Sognefjorden", "Deeper", "thirteen", "Lovelace", ...secrets]) expect(all).not.toContain(word);
  });

  it("traces ignore an incoming traceparent, and send none to providers", async () => {
    const chat = await startChat();
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const { token } = chat.ada;
    await chat.app.call("GET", accountPaths.me, { token, headers: { traceparent } });
    const request = await named("GET /api/auth/me");
    expect(request.traceId).not.toBe("0af7651916cd43dd8448eb211c80319c");
    await chat.send({ message: QUESTION, model: MODEL });
    expect((await chat.provider.chat(1)).headers).not.toHaveProperty("traceparent");
  });

  it("traces continue in the local server, which is the administrator's own", async () => {
    const { provider } = await startChat();
    const app = opened.use(await startTestApp({ env: { ...traced(), LOCAL_BASE_URL: provider.baseUrl } }));
    const { token } = await signUp(app);
    const { id } = (await (await app.call("POST", "/chat", { token })).json()) as { id: string };
    await app.call("POST", `/chat/${id}/send`, { token, body: { message: QUESTION, model: "LOCAL:qwen3:8b" } });
    const call = await named("chat LOCAL:qwen3:8b");
    const { headers } = await provider.chat(1);
    expect(headers.traceparent).toBe(`00-${call.traceId}-${call.spanId}-01`);
  });

  it.runIf(isOnPostgres)("traces contain no checkpoints of other replies, whichever began first", async () => {
    const chat = await startChat();
    const { app, provider } = chat;
    const own = await chat.stream({ message: `${QUESTION} [scenario:held]`, model: MODEL });
    await provider.chat(1);
    provider.release("Deep");
    // Each reply lasts for several checkpoints.
    provider.reply = "word ".repeat(30);
    for (let count = 1; count <= 2; count++) {
      await chat.renew();
      await (await chat.stream({ message: `${QUESTION} [scenario:slow]`, model: MODEL })).text();
    }
    provider.finish();
    await own.text();
    await app[Symbol.asyncDispose]();
    const sends = collector.spans.filter(({ name }) => name === SEND);
    const counts = sends.map(
      ({ traceId }) => collector.spans.filter((span) => span.name === "transaction" && span.traceId === traceId).length,
    );
    expect(counts).toHaveLength(3);
    expect(new Set(counts).size).toBe(1);
  });

  it("traces contain spans of one request only: shared work runs outside of it", async () => {
    const chat = await startChat();
    const contexts: unknown[] = [];
    const { setInterval } = globalThis;
    vi.spyOn(globalThis, "setInterval").mockImplementation((...given) => {
      contexts.push(chat.app.context.telemetry.traces?.headers());
      return setInterval(...given);
    });
    opened.defer(() => void vi.restoreAllMocks());
    await using _events = await followAccount(chat.app, chat.ada.token);
    await chat.send({ message: QUESTION });
    expect(contexts.length).toBeGreaterThanOrEqual(2);
    for (const context of contexts) expect(context).toEqual({});
  });

  it("traces are sampled by the standard variables", async () => {
    const chat = await startChat({ OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0" });
    await chat.send({ message: QUESTION });
    await chat.app[Symbol.asyncDispose]();
    expect(collector.spans).toEqual([]);
  });

  it("traces that cannot be delivered are logged once, and do not block", async () => {
    collector.status = 400;
    const chat = await startChat();
    await collector.exports(1);
    const before = collector.bodies.length;
    await chat.send({ message: QUESTION });
    await collector.exports(before + 1);
    await chat.app[Symbol.asyncDispose]();
    expect(chat.app.logLines.filter((line) => line.includes("traces could not be sent"))).toHaveLength(1);
  });
});

it("traces are disabled without the variables, or if they are switched off", async () => {
  for (const env of [{}, { ...traced(), OTEL_SDK_DISABLED: "true" }, { ...traced(), OTEL_TRACES_EXPORTER: "none" }]) {
    await using app = await startTestApp({ env });
    expect(app.context.telemetry.traces).toBeUndefined();
  }
});
