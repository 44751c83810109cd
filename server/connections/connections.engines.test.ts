import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { administrationPaths } from "#contract/administration/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { askModel, OwnerOfConnections } from "../../testing/accounts/connections.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import type { TestAccount } from "../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp, type TestApp, type TestHarness } from "../../testing/app/start-test-app.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { problemOf } from "../../testing/http/problem-of.ts";
import { unusedAddress } from "../../testing/provider/model-calls.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../testing/provider/scripted-provider.ts";
import { createSharedDatabase } from "../../testing/servers/shared-database.ts";

const KEY = "sk-connection-canary-0123456789";

let opened: AsyncDisposableStack;
let harness: TestHarness;
let provider: ScriptedProvider;
let app: TestApp;
let owner: TestAccount;
let connections: OwnerOfConnections;

const start = (more: Parameters<typeof startTestApp>[0] = {}) =>
  startTestApp({ harness, ...more, env: { RATE_LIMITS: "off", ...more.env } });

beforeEach(async () => {
  opened = new AsyncDisposableStack();
  provider = opened.use(await startScriptedProvider());
  harness = opened.use(await createTestHarness(undefined, { isMigrated: true }));
  app = opened.use(await start());
  owner = await signUpAs(app, "owner");
  connections = new OwnerOfConnections(app, owner);
});
afterEach(() => opened[Symbol.asyncDispose]());

const home = () => ({ kind: "openai" as const, name: "At home", baseUrl: provider.baseUrl, apiKey: KEY });

const ask = (model: string | undefined, at = app, by = owner) => askModel(at, by, model);

const auditOf = (at = app) => at.context.database.selectFrom("audit_events").selectAll().orderBy("seq").execute();

describe("connections that owners create", () => {
  it("answers through a new connection at once, without a restart", async () => {
    expect(await ask(undefined)).toEqual(["DEMO:assistant", expect.any(String)]);
    const created = await connections.create(home());
    expect(created).toMatchObject({
      slug: "AT-HOME",
      keyEnd: "6789",
      isFixed: false,
      isEnabled: true,
      list: { state: "there", offered: 2, all: 2 },
    });
    expect((await connections.choices()).at(-1)).toMatchObject({
      label: "At home",
      models: [{ value: "AT-HOME:llama3.2:3b", available: true }, { value: "AT-HOME:qwen3:8b" }],
    });
    expect(await ask("AT-HOME:qwen3:8b")).toEqual(["AT-HOME:qwen3:8b", provider.reply]);
    expect(provider.chats.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
    // Automatic choice takes its first model where there is no other.
    expect(await ask(undefined)).toEqual(["AT-HOME:llama3.2:3b", provider.reply]);
  });

  it("N6 never returns a key or the value of a header, and stores neither in plain text", async () => {
    const secretHeader = { name: "X-Team", value: "header-canary-value" };
    await connections.create({ ...home(), headers: [secretHeader] });
    await connections.change("AT-HOME", { apiKey: `${KEY}-new` });
    const answers = [await connections.list(), await connections.models("AT-HOME"), await connections.choices()];
    const rows = [
      await app.context.database.selectFrom("connections").selectAll().execute(),
      await app.context.database.selectFrom("connection_models").selectAll().execute(),
      await auditOf(),
    ];
    const everything = [JSON.stringify(answers), JSON.stringify(rows), app.logLines.join("\n")];
    for (const text of everything) {
      expect(text).not.toContain("sk-connection-canary");
      expect(text).not.toContain("header-canary");
    }
    expect(await ask("AT-HOME:qwen3:8b")).toEqual(["AT-HOME:qwen3:8b", provider.reply]);
    expect(provider.chats.at(-1)?.headers).toMatchObject({ "x-team": "header-canary-value" });
  });

  it("N6 sends a stored key to no other server than the one for which it was entered", async () => {
    await connections.create({ ...home(), headers: [{ name: "X-Team", value: "header-canary-value" }] });
    const elsewhere = "http://elsewhere.example/v1";
    const refused = await app.call("PATCH", administrationPaths.connection("AT-HOME"), {
      token: owner.token,
      body: { baseUrl: elsewhere },
    });
    const problem = await problemOf(refused);
    expect([refused.status, problem.issues?.map(({ field }) => field)]).toEqual([400, ["apiKey", "headers"]]);
    expect((await connections.list()).connections[0]?.baseUrl).toBe(provider.baseUrl);
    await connections.change("AT-HOME", { baseUrl: `${provider.baseUrl}/more` });
  });

  it("N6 a key that was copied into another row does not open", async () => {
    await connections.create(home());
    await connections.create({ ...home(), name: "Thief", apiKey: null, isEnabled: false });
    const { database } = app.context;
    const { key_encrypted } = await database
      .selectFrom("connections")
      .select("key_encrypted")
      .where("slug", "=", "AT-HOME")
      .executeTakeFirstOrThrow();
    await database.updateTable("connections").set({ key_encrypted }).where("slug", "=", "THIEF").execute();
    expect((await connections.list()).connections).toMatchObject([
      { slug: "AT-HOME", isUnreadable: false },
      { slug: "THIEF", isUnreadable: true, keyEnd: "" },
    ]);
  });

  it("completes the address of Ollama, which its documentation names without a path", async () => {
    const { origin } = new URL(provider.baseUrl);
    const { baseUrl, list } = await connections.create({ ...home(), kind: "ollama", baseUrl: `${origin}/` });
    expect(baseUrl).toBe(`${origin}/v1`);
    // This server has the compatible list only, as behind some proxies.
    expect(list).toMatchObject({ state: "there", offered: 2 });
  });

  it("makes slugs of names, and never gives one twice", async () => {
    const slugs = [];
    for (const name of ["Ollama", "ollama", "Kätzchen ß 7", "モデル", "Claude", "GPT"]) {
      slugs.push((await connections.create({ ...home(), name })).slug);
    }
    expect(slugs).toEqual(["OLLAMA", "OLLAMA-2", "KA-TZCHEN-SS-7", "CONNECTION", "CLAUDE-2", "GPT-2"]);
  });

  it.each([
    ["baseUrl", { baseUrl: "ftp://127.0.0.1/v1" }],
    ["baseUrl", { baseUrl: "http://user:word@127.0.0.1/v1" }],
    ["baseUrl", { baseUrl: "http://169.254.169.254/latest" }],
    ["baseUrl", { baseUrl: "http://[fd00:ec2::254]/" }],
    ["baseUrl", { baseUrl: "http://2852039166/" }],
    ["baseUrl", { baseUrl: "http://metadata.google.internal./v1" }],
    ["slug", { slug: "GPT" }],
    ["slug", { slug: "lower" }],
  ])("J1 refuses a connection whose %s is %j", async (field, more) => {
    const response = await app.call("POST", administrationPaths.connections, {
      token: owner.token,
      body: { ...home(), ...more },
    });
    const problem = await problemOf(response);
    expect([response.status, problem.issues?.map((issue) => issue.field)]).toEqual([400, [field]]);
    expect((await connections.list()).connections).toEqual([]);
  });

  it("keeps the list and the chosen models of a server that is away", async () => {
    await connections.create(home());
    provider.models = undefined;
    expect(await connections.refresh("AT-HOME")).toMatchObject({ list: { state: "away", all: 2 } });
    expect((await connections.choices()).at(-1)).toMatchObject({
      unreachable: "AT-HOME:",
      models: [{ available: false, unreachable: true }, { available: false }],
    });
    await app[Symbol.asyncDispose]();
    await using again = await start();
    const later = new OwnerOfConnections(again, owner);
    expect((await later.choices()).at(-1)?.models.map(({ value }) => value)).toEqual([
      "AT-HOME:llama3.2:3b",
      "AT-HOME:qwen3:8b",
    ]);
  });

  it("takes a server as there at once when a test of its connection succeeds", async () => {
    await connections.create(home());
    provider.models = undefined;
    expect(await connections.refresh("AT-HOME")).toMatchObject({ list: { state: "away", all: 2 } });
    provider.models = ["llama3.2:3b", "qwen3:8b", "new:1b"];
    const tested = await app.call("POST", administrationPaths.providerCheck("AT-HOME"), { token: owner.token });
    expect(await tested.json()).toMatchObject({ ok: true });
    expect((await connections.list()).connections).toMatchObject([
      { slug: "AT-HOME", list: { state: "there", all: 3 } },
    ]);
    expect((await connections.choices()).at(-1)?.models.map(({ available }) => available)).toEqual([true, true, true]);
  });

  it("creates a connection whose server does not answer, and says so", async () => {
    const created = await connections.create({ ...home(), baseUrl: await unusedAddress() });
    expect(created.list).toMatchObject({ state: "away", all: 0, reason: "no-listener" });
  });

  it("no longer answers through a disabled or deleted connection, and enables it again", async () => {
    await connections.create(home());
    await connections.change("AT-HOME", { isEnabled: false });
    expect(await ask("AT-HOME:qwen3:8b")).toEqual([400, "model-unknown"]);
    await connections.change("AT-HOME", { isEnabled: true });
    expect(await ask("AT-HOME:qwen3:8b")).toEqual(["AT-HOME:qwen3:8b", provider.reply]);
    await connections.remove("AT-HOME");
    expect(await ask("AT-HOME:qwen3:8b")).toEqual([400, "model-unknown"]);
    expect(await app.context.database.selectFrom("connection_models").selectAll().execute()).toEqual([]);
  });

  it("orders connections, and records every change with its owner", async () => {
    await connections.create(home());
    await connections.create({ ...home(), name: "Office" });
    await connections.order(["OFFICE", "AT-HOME"]);
    expect((await connections.list()).connections.map(({ slug }) => slug)).toEqual(["OFFICE", "AT-HOME"]);
    await connections.order(["AT-HOME"]);
    expect((await connections.list()).connections.map(({ slug }) => slug)).toEqual(["AT-HOME", "OFFICE"]);
    await connections.remove("OFFICE");
    expect((await auditOf()).map(({ kind, actor }) => [kind, actor])).toEqual(
      [
        "connection-created",
        "connection-created",
        "connection-changed",
        "connection-changed",
        "connection-deleted",
      ].map((kind) => [kind, owner.user.id]),
    );
  });

  it("a running reply keeps the connection with which it began", async () => {
    await connections.create(home());
    const { token } = owner;
    const { id } = (await (await app.call("POST", conversationPaths.chats, { token })).json()) as { id: string };
    provider.next("held");
    const body = { message: "Hello", model: "AT-HOME:qwen3:8b" };
    const reply = app.call("POST", conversationPaths.chatSend(id), { token, body });
    await provider.untilHeld(1);
    await connections.change("AT-HOME", { baseUrl: await unusedAddress(), apiKey: null });
    provider.release("Kept.");
    provider.finish();
    await (await reply).text();
    const chat = (await (await app.call("GET", conversationPaths.chat(id), { token })).json()) as {
      messages: { content: string }[];
    };
    expect(chat.messages.at(-1)?.content).toBe("Kept.");
  });
});

describe("models of connections", () => {
  it("what an owner enters is stronger than what the server reports", async () => {
    provider.models = [{ id: "small", max_model_len: 4096 }, { id: "unknown" }];
    await connections.create(home());
    const window = async () =>
      (await connections.choices()).at(-1)?.models.map(({ label, contextTokens }) => [label, contextTokens]);
    expect(await window()).toEqual([
      ["small", 4096],
      ["unknown", undefined],
    ]);
    await connections.changeModels("AT-HOME", [
      { name: "unknown", overrides: { contextTokens: 32_768, label: "Known now", images: true } },
    ]);
    expect(await window()).toEqual([
      ["small", 4096],
      ["Known now", 32_768],
    ]);
    await connections.refresh("AT-HOME");
    expect(await window()).toEqual([
      ["small", 4096],
      ["Known now", 32_768],
    ]);
    await connections.changeModels("AT-HOME", [{ name: "unknown", overrides: null }]);
    expect(await window()).toEqual([
      ["small", 4096],
      ["unknown", undefined],
    ]);
  });

  it("offers all models, the chosen ones, or those that a pattern matches", async () => {
    provider.models = ["llama3:8b", "llama3:70b", "qwen3:8b"];
    await connections.create(home());
    const offered = async () => (await connections.choices()).at(-1)?.models.map(({ label }) => label);
    await connections.change("AT-HOME", { settings: { offer: "pattern", pattern: "LLAMA*, q*:8b" } });
    expect(await offered()).toEqual(["llama3:8b", "llama3:70b", "qwen3:8b"]);
    await connections.change("AT-HOME", { settings: { pattern: "*:8b" } });
    expect(await offered()).toEqual(["llama3:8b", "qwen3:8b"]);
    await connections.change("AT-HOME", { settings: { offer: "chosen" } });
    await connections.changeModels("AT-HOME", [{ name: "llama3:70b", isOffered: true }]);
    expect(await offered()).toEqual(["llama3:70b"]);
    expect(await ask("AT-HOME:qwen3:8b")).toEqual([400, "model-unknown"]);
  });

  it("a name that is entered by hand can be called, and forgotten", async () => {
    await connections.create(home());
    await connections.changeModels("AT-HOME", [{ name: "unlisted:1b" }]);
    expect(await ask("AT-HOME:unlisted:1b")).toEqual(["AT-HOME:unlisted:1b", provider.reply]);
    await connections.changeModels("AT-HOME", [{ name: "unlisted:1b", isRemoved: true }]);
    expect(await ask("AT-HOME:unlisted:1b")).toEqual([400, "model-unknown"]);
  });

  it("automatic choice asks the models in the order of an owner", async () => {
    await connections.create(home());
    await connections.orderAutomatic(["AT-HOME:qwen3:8b", "AT-HOME:llama3.2:3b"]);
    expect(await ask(undefined)).toEqual(["AT-HOME:qwen3:8b", provider.reply]);
    expect((await connections.choices()).at(-1)?.models.map(({ automatic }) => automatic)).toEqual([1, 0]);
    await connections.orderAutomatic(null);
    expect(await ask(undefined)).toEqual(["AT-HOME:llama3.2:3b", provider.reply]);
  });
});

describe("rights to connections", () => {
  it.each(["administrator", "manager", "person"] as const)("refuses a %s", async (role) => {
    const by = await signUpAs(app, role);
    for (const [method, path, body] of [
      ["GET", administrationPaths.connections, undefined],
      ["POST", administrationPaths.connections, home()],
      ["GET", administrationPaths.connectionModels("AT-HOME"), undefined],
    ] as const) {
      expect((await app.call(method, path, { token: by.token, ...(body && { body }) })).status).toBe(403);
    }
  });

  it("connections of the environment are shown as fixed, and no route changes them", async () => {
    await using fixed = await start({ env: { LOCAL_BASE_URL: provider.baseUrl, LOCAL_API_KEY: KEY } });
    const by = await signUpAs(fixed, "owner");
    const own = new OwnerOfConnections(fixed, by);
    expect((await own.list()).connections).toMatchObject([{ slug: "LOCAL", isFixed: true, keyEnd: "6789" }]);
    await expect(own.change("LOCAL", { name: "Mine" })).rejects.toThrow("404");
    await expect(own.remove("LOCAL")).rejects.toThrow("404");
    await own.choices();
    await own.changeModels("LOCAL", [{ name: "qwen3:8b", overrides: { label: "Qwen" } }]);
    expect((await own.choices()).at(-1)?.models.map(({ label }) => label)).toEqual(["llama3.2:3b", "Qwen"]);
  });
});

describe.runIf(isOnPostgres)("two processes on one database", () => {
  it("takes a connection that another process has created", async () => {
    await using database = await createSharedDatabase();
    const [a, b] = [await database.startServer(), await database.startServer()];
    const by = await signUpAs(a, "owner");
    await new OwnerOfConnections(a, by).create(home());
    await vi.waitFor(() => expect(b.context.models.health()).toMatchObject([{ id: "AT-HOME" }]), { timeout: 10_000 });
  });
});
