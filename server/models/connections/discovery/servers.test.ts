import { expect, onTestFinished, test } from "vitest";
import { promptOf, runModel } from "../../../../testing/provider/model-calls.ts";
import { pictureFile } from "../../../../testing/provider/prompt-files.ts";
import { SCRIPTED_PICTURE } from "../../../../testing/provider/scenarios.ts";
import {
  type ScriptedServer,
  type ScriptedServerName,
  SERVER_KEY,
  SERVER_REPLY,
  serverScripts,
  startScriptedServer,
} from "../../../../testing/provider/servers/scripted-server.ts";
import { factsOfServers, free } from "../../../../testing/provider/servers/server-facts.ts";
import { type ServerFailure, serverFailures } from "../../../../testing/provider/servers/server-script.ts";
import { Outbound } from "../../../outbound/outbound.ts";
import { ModelError } from "../../model-error.ts";
import { openClient } from "../../open-client.ts";
import { priceOf } from "../../prices.ts";
import { DiscoveredModels } from "../discovered-models.ts";
import { OpenConnection } from "../open-connection.ts";
import { refusalOf } from "../refusal-of.ts";
import { listModels } from "./list-models.ts";

const names = Object.keys(serverScripts) as ScriptedServerName[];
const codes: Record<ServerFailure, string> = {
  "wrong-key": "assistant-misconfigured",
  "unknown-model": "assistant-model-gone",
  "too-long": "assistant-too-long",
  "no-credit": "assistant-no-credit",
  "rate-limited": "assistant-busy",
  overloaded: "assistant-busy",
  "no-pictures": "assistant-failed",
};

/** Starts a server with a connection to it. */
async function connect(name: ScriptedServerName, apiKey = SERVER_KEY) {
  const server = await startScriptedServer(name);
  const { kind, keyHeader } = server.script;
  const settings = { slug: "S", id: "S", name, kind, baseUrl: server.address, ...(keyHeader && { apiKey }) };
  const connection = new OpenConnection(settings, {
    outbound: new Outbound(),
    now: Date.now,
    localHeaders: () => ({}),
  });
  onTestFinished(async () => {
    await connection[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  const list = () => listModels(connection.pool, { kind, timeoutMs: 5000 });
  return { server, connection, list };
}

/** Opens a model of a connection, once its facts are known. By default the first one that the server answers with. */
async function open({ server, connection }: { server: ScriptedServer; connection: OpenConnection }, name?: string) {
  const models = connection.models;
  await models?.list();
  const value = `S:${name ?? Object.keys(server.script.chats)[0]}`;
  const entry = models?.known().find((model) => model.value === value) ?? {
    ...{ label: value, value, contextTokens: 8192, maxOutputTokens: 1024 },
  };
  return openClient(entry, connection, { price: priceOf(entry) });
}

test.each(names)("the models and facts of %s are those that its documentation describes", async (name) => {
  const { list } = await connect(name);
  const { state, server, models, describe: readFacts } = await list();
  const facts = new Map(models.map((model) => [model.name, { ...model.facts }]));
  await readFacts?.([...facts.keys()], (of, more) => facts.set(of, { ...facts.get(of), ...more }));
  expect({ state, server, models: Object.fromEntries(facts) }).toEqual({ state: "there", ...factsOfServers[name] });
});

test.each(names)("the models of %s that cannot chat are not offered", async (name) => {
  const { connection } = await connect(name);
  await connection.models?.list();
  const chats = Object.entries(factsOfServers[name].models).filter(([, { purpose }]) => purpose === undefined);
  await expect
    .poll(() => connection.models?.known().map(({ value }) => value))
    .toEqual(chats.map(([model]) => `S:${model}`));
});

test.each(names)("%s answers with text and counts, and with its reasoning apart", async (name) => {
  const connected = await connect(name);
  const model = await open(connected);
  expect(await runModel(model, promptOf("Hi"))).toMatchObject({
    text: SERVER_REPLY,
    end: { reason: "complete", usage: { inputTokens: 21, outputTokens: 12 } },
  });
  connected.server.scenario = "reasoning-first";
  const { text: answer, reasoning } = await runModel(model, promptOf("Hi"));
  expect([answer, reasoning]).toEqual([SERVER_REPLY, "This is a secret thought. So is this."]);
});

test("OpenRouter is asked for pictures of a model that makes them, but not for a title", async () => {
  const connected = await connect("openRouter");
  const model = await open(connected, "google/gemini-3-flash-image");
  const drawn = await runModel(model, promptOf("Draw stripes"));
  expect(drawn).toMatchObject({ text: SERVER_REPLY, pictures: [{ bytes: SCRIPTED_PICTURE }] });
  const named = await runModel(model, { ...promptOf("Name it"), maxOutputTokens: 1024 });
  expect(named.pictures).toBeUndefined();
  expect((await runModel(await open(connected), promptOf("Hi"))).text).toBe(SERVER_REPLY);
  const modalities = connected.server.requests.flatMap(({ wire, body }) => (wire ? [body.modalities] : []));
  expect(modalities).toEqual([["image", "text"], undefined, undefined]);
});

const pictured = names.flatMap((name) =>
  Object.entries(serverScripts[name].chats).map(([model, { pictures }]) => [name, model, pictures] as const),
);

test.each(pictured)("the picture of a question to %s's model %s is accepted: %s", async (name, model, isAccepted) => {
  const picture = { type: "file", file: pictureFile("cat.png") } as const;
  const messages = [{ role: "user", content: [picture, { type: "text", text: "Hi" }] } as const];
  const outcome = await runModel(await open(await connect(name), model), { system: "", messages });
  expect(outcome.text).toBe(isAccepted ? SERVER_REPLY : "");
  if (!isAccepted) expect(outcome.error).toMatchObject({ code: "assistant-failed", isAboutFile: true });
});

const failing = names.flatMap((name) =>
  serverFailures
    .filter((failure) => failure in serverScripts[name].failures)
    .map((failure) => [name, failure] as const),
);

test.each(failing)("the refusal of %s for the reason %s has our code", async (name, failure) => {
  const connected = await connect(name);
  const model = await open(connected);
  connected.server.nextFailure = failure;
  const { error } = await runModel(model, promptOf("Hi"));
  expect(error?.code).toBe(codes[failure]);
  expect(error?.retryAfterMs).toBe(failure === "rate-limited" ? 7000 : undefined);
  expect(JSON.stringify([error?.message, String(error?.cause)])).not.toContain("canary");
});

const guarded = names.filter((name) => "keyHeader" in serverScripts[name]);

test.each(guarded)("a wrong key for %s is refused by its list as by a chat", async (name) => {
  const { list } = await connect(name, "sk-wrong");
  await expect(list()).rejects.toMatchObject({ code: "assistant-misconfigured" });
});

test.each(["openRouter", "ollama", "azure", "anthropic"] as const)(
  "%s without a list of models has names that are entered",
  async (name) => {
    const connected = await connect(name);
    const script = { ...connected.server.script, documents: {} };
    Object.assign(connected.server, { script });
    expect(await connected.list()).toMatchObject({ state: "none", models: [] });
    const model = await open(connected);
    expect(connected.connection.models?.state).toEqual({ state: "none", at: expect.any(Number) });
    expect((await runModel(model, promptOf("Hi"))).text).toBe(SERVER_REPLY);
  },
);

test("LM Studio's second API has the same facts", async () => {
  const connected = await connect("lmStudio");
  const { "/v1/models": models } = connected.server.script.documents;
  const loaded = {
    ...{ type: "llm", key: "qwen2-vl-7b-instruct", display_name: "Qwen2 VL", max_context_length: 32_768 },
    loaded_instances: [{ id: "qwen2-vl-7b-instruct", config: { context_length: 8192 } }],
    capabilities: { vision: true, trained_for_tool_use: false },
  };
  const documents = { "/v1/models": models, "/api/v1/models": { models: [loaded] } };
  Object.assign(connected.server, { script: { ...connected.server.script, documents } });
  expect((await connected.list()).models[0]).toEqual({
    name: "qwen2-vl-7b-instruct",
    facts: { label: "Qwen2 VL", images: true, tools: false, contextTokens: 8192, price: free },
  });
});

test.each(["openRouter", "ollama", "anthropic", "azure"] as const)(
  "a page at the address of %s is no list, and the address is wrong",
  async (name) => {
    const connected = await connect(name);
    const { script } = connected.server;
    const pages = Object.keys(script.documents).map((path) => [path, { welcome: "to nginx" }]);
    Object.assign(connected.server, { script: { ...script, documents: Object.fromEntries(pages) } });
    const error = await connected.list().catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(ModelError);
    expect(error instanceof ModelError && refusalOf(error)).toBe("address");
  },
);

test("the last list is retained while a server has none", async () => {
  const { server, connection } = await connect("groq");
  let now = 0;
  const models = new DiscoveredModels(connection.pool, connection.settings, { now: () => now });
  await models.list();
  Object.assign(server, { script: { ...server.script, documents: {} } });
  now = 60_000;
  models.known();
  await expect.poll(() => models.state.state).toBe("none");
  expect(models.lastKnown.map(({ value }) => value)).toEqual(["S:openai/gpt-oss-120b"]);
});

test("the models of Azure that are not deployed are not offered", async () => {
  const connected = await connect("azure");
  const { "/openai/v1/models": base } = connected.server.script.documents;
  Object.assign(connected.server, { script: { ...connected.server.script, documents: { "/openai/v1/models": base } } });
  expect(await connected.list()).toMatchObject({ state: "none", models: [] });
});

test("the built-in limits of a model of Anthropic are stronger than its own, and others have adaptive reasoning", async () => {
  const { connection } = await connect("anthropic");
  expect(await connection.models?.list()).toMatchObject([
    { value: "S:claude-haiku-5-5", contextTokens: 132_768, inputPrice: 0.1, reasoning: "adaptive", pdf: true },
    { value: "S:claude-novel-7", contextTokens: 1_000_000, reasoning: "adaptive", efforts: ["low", "medium", "high"] },
  ]);
});
