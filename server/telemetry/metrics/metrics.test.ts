import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { followAccount } from "../../../testing/accounts/follow-account.ts";
import { newPerson, signUp } from "../../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../../testing/app/start-test-app.ts";
import { type ScriptedChat, startScriptedChat } from "../../../testing/chats/scripted-chat.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";
import { Exposition } from "../../../testing/http/read-exposition.ts";

const TOKEN = "a-token-for-scrapes-only";
const QUESTION = "What is the depth of Sognefjorden?";
const MODEL = "GPT:gpt-5-mini";

let opened: AsyncDisposableStack;
beforeEach(() => {
  opened = new AsyncDisposableStack();
});
afterEach(() => opened.disposeAsync());

function metricsUrl({ context }: TestApp): string {
  return `http://127.0.0.1:${context.telemetry.metricsPort}/metrics`;
}

async function scrape(app: TestApp): Promise<Exposition> {
  const response = await fetch(metricsUrl(app));
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  return new Exposition(await response.text());
}

describe("metrics on a port of their own", () => {
  let chat: ScriptedChat;
  beforeEach(async () => {
    chat = opened.use(await startScriptedChat({ METRICS_PORT: "0" }));
    await chat.renew();
  });

  it("metrics count requests by route pattern, and unknown paths under one name", async () => {
    await chat.open();
    await chat.open();
    for (const path of ["/nothing-1", "/nothing-2"]) await chat.app.call("GET", path);
    const told = await scrape(chat.app);
    const opening = { route: "/api/chat/:id", method: "GET", status: "200" };
    expect(told.sumOf("parley_http_requests_total", opening)).toBe(2);
    expect(told.sumOf("parley_http_request_duration_seconds_count", { route: "/api/chat/:id", method: "GET" })).toBe(2);
    expect(told.sumOf("parley_http_requests_total", { route: "unknown", status: "404" })).toBe(2);
  });

  it("metrics count files and pages of the web app under the same name as unknown paths", async () => {
    const webFolder = opened.adopt(await mkdtemp(join(tmpdir(), "parley-web-")), (folder) =>
      rm(folder, { recursive: true }),
    );
    for (const name of ["index.html", "icon.svg"]) await writeFile(join(webFolder, name), "<title></title>");
    const app = opened.use(await startTestApp({ webFolder, env: { METRICS_PORT: "0" } }));
    for (const path of ["/", "/chat", "/icon.svg", "/nothing.php"]) await (await fetch(`${app.url}${path}`)).text();
    const told = await scrape(app);
    expect(told.sumOf("parley_http_requests_total", { route: "unknown", status: "200" })).toBe(3);
    expect(told.sumOf("parley_http_requests_total", { route: "unknown", status: "404" })).toBe(1);
    expect(told.sumOf("parley_http_requests_total")).toBe(4);
  });

  it("metrics count words, times between words, and calls by model", async () => {
    await chat.send({ message: QUESTION, model: MODEL });
    const told = await scrape(chat.app);
    expect(told.sumOf("parley_model_characters_total", { model: MODEL })).toBeGreaterThanOrEqual(
      String(chat.provider.reply).length,
    );
    expect(told.sumOf("parley_model_words_total", { model: MODEL })).toBeGreaterThan(5);
    for (const name of ["first_text_seconds", "time_per_word_seconds"]) {
      expect(told.sumOf(`parley_model_${name}_count`, { model: MODEL })).toBeGreaterThanOrEqual(1);
    }
    expect(told.sumOf("parley_model_calls_total", { model: MODEL, outcome: "complete" })).toBeGreaterThanOrEqual(1);
  });

  it("metrics count running replies and their readers", async () => {
    const events = (await chat.stream({ message: `${QUESTION} [scenario:held]` })).body?.getReader();
    chat.provider.release("First words");
    await events?.read();
    await using _ = await followAccount(chat.app, chat.ada.token);
    const during = await scrape(chat.app);
    expect(during.sumOf("parley_replies_running")).toBe(1);
    expect(during.sumOf("parley_streams_open", { route: "/api/chat/:id/send" })).toBe(1);
    expect(during.sumOf("parley_streams_open", { route: "/api/events" })).toBe(1);
    chat.provider.finish();
    while (!(await events?.read())?.done);
    const after = await scrape(chat.app);
    expect(after.sumOf("parley_replies_running")).toBe(0);
    expect(after.valuesOf("parley_streams_open", { route: "/api/chat/:id/send" })).toEqual([]);
    expect(after.valuesOf("parley_http_request_duration_seconds_count", { route: "/api/chat/:id/send" })).toEqual([]);
  });

  it("metrics count a provider's errors by model and code", async () => {
    await chat.send({ message: `${QUESTION} [scenario:wrong-key]`, model: MODEL });
    const told = await scrape(chat.app);
    const labels = { model: MODEL, code: "assistant-misconfigured" };
    expect(told.sumOf("parley_model_errors_total", labels)).toBeGreaterThanOrEqual(1);
    expect(told.sumOf("parley_model_calls_total", { model: MODEL, outcome: "failed" })).toBeGreaterThanOrEqual(1);
  });

  it("metrics include the database, the process and its event loop", async () => {
    const told = await scrape(chat.app);
    for (const operation of ["select", "insert", "update", "commit"]) {
      const labels = { operation, outcome: "ok" };
      expect(told.sumOf("parley_database_query_duration_seconds_count", labels)).toBeGreaterThan(0);
    }
    const pools = ["requests", "reserved"].map((pool) => told.sumOf("parley_database_connections", { pool }));
    expect(pools.map((count) => count > 0)).toEqual([isOnPostgres, isOnPostgres]);
    for (const name of ["nodejs_eventloop_lag_p99_seconds", "process_resident_memory_bytes"]) {
      expect(told.sumOf(name)).toBeGreaterThan(0);
    }
    expect(told.sumOf("process_cpu_seconds_total")).toBeGreaterThan(0);
  });

  it("metrics contain no text and no name of a person", async () => {
    await chat.send({ message: QUESTION, model: "LOCAL:Sognefjorden" });
    await chat.app.call("GET", "/Sognefjorden");
    await chat.send({ message: QUESTION });
    const text = await (await fetch(metricsUrl(chat.app))).text();
    const { user, token } = chat.ada;
    for (const word of ["Sognefjorden", "scripted", user.username, user.email, user.id, chat.chatId, token]) {
      expect(text).not.toContain(word);
    }
  });

  it("metrics are only on the port that is configured for them", async () => {
    expect((await fetch(`${chat.app.url}/metrics`)).status).toBe(404);
    expect((await fetch(metricsUrl(chat.app).replace("/metrics", "/healthz"))).status).toBe(404);
  });
});

it("models that may not exist share one label of the metrics", async () => {
  const app = opened.use(await startTestApp({ env: { METRICS_PORT: "0", LOCAL_BASE_URL: "http://127.0.0.1:9/v1" } }));
  const { token } = await signUp(app);
  const { id } = (await (await app.call("POST", "/chat", { token })).json()) as { id: string };
  const body = { message: QUESTION, model: "LOCAL:Sognefjorden" };
  expect((await app.call("POST", `/chat/${id}/send`, { token, body })).status).toBe(200);
  const told = await scrape(app);
  const labels = { model: "LOCAL:unlisted", code: "assistant-unreachable" };
  expect(told.sumOf("parley_model_errors_total", labels)).toBeGreaterThanOrEqual(1);
  expect(told.samples.filter(({ labels: { model } }) => model?.includes("Sogne"))).toEqual([]);
});

it("metrics count waiting mails, with the age of the oldest", async () => {
  const env = { METRICS_PORT: "0", SMTP_URL: "smtp://127.0.0.1:9" };
  const app = opened.use(await startTestApp({ env }));
  expect((await app.call("POST", accountPaths.register, { body: newPerson() })).status).toBe(201);
  const told = await scrape(app);
  expect(told.sumOf("parley_outbox_mails")).toBe(1);
  expect(told.sumOf("parley_outbox_oldest_seconds")).toBeGreaterThanOrEqual(0);
});

describe("metrics by a token", () => {
  const get = (url: string, token?: string) =>
    fetch(url, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });

  it("metrics are on the application's port for requests with the token", async () => {
    const app = opened.use(await startTestApp({ env: { METRICS_TOKEN: TOKEN } }));
    const url = `${app.url}/metrics`;
    const { token } = await signUp(app);
    const statuses = [];
    for (const given of [undefined, token, `${TOKEN}x`, "a-token-for-scrapes-onlz"]) {
      statuses.push((await get(url, given)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401]);
    const response = await get(url, TOKEN);
    expect(response.status).toBe(200);
    const told = new Exposition(await response.text());
    expect(told.sumOf("parley_http_requests_total", { route: "/metrics", status: "401" })).toBe(4);
  });

  it("metrics require the token on their own port too", async () => {
    const app = opened.use(await startTestApp({ env: { METRICS_PORT: "0", METRICS_TOKEN: TOKEN } }));
    expect([(await get(metricsUrl(app))).status, (await get(metricsUrl(app), TOKEN)).status]).toEqual([401, 200]);
    expect((await get(`${app.url}/metrics`, TOKEN)).status).toBe(404);
  });
});

it("there are no metrics without settings for them", async () => {
  const app = opened.use(await startTestApp());
  expect([app.context.telemetry.metrics, (await fetch(`${app.url}/metrics`)).status]).toEqual([undefined, 404]);
});

it("a port in use stops the start with a sentence", async () => {
  const app = opened.use(await startTestApp({ env: { METRICS_PORT: "0" } }));
  const METRICS_PORT = String(app.context.telemetry.metricsPort);
  await expect(startTestApp({ env: { METRICS_PORT } })).rejects.toThrow(/METRICS_PORT/);
});
