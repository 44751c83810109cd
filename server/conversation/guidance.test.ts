import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { ChatChanged } from "#contract/conversation/account-events.ts";
import type { Chat } from "#contract/conversation/conversation.ts";
import type { ReplyRequest } from "#contract/conversation/conversation-calls.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { Preset } from "#contract/conversation/presets.ts";
import { INSTRUCTIONS_MAX } from "#contract/limits.ts";
import { followAccount } from "../../testing/accounts/follow-account.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp } from "../../testing/app/start-test-app.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { readReply } from "../../testing/http/read-events.ts";
import { continuing } from "../../testing/provider/continuing.ts";
import { type ScriptedRequest, startScriptedProvider } from "../../testing/provider/scripted-provider.ts";

const GPT = "GPT:gpt-4.1-nano";
const CLAUDE = "CLAUDE:claude-sonnet-4-5-20250929";
const NO_TEMPERATURE = "GPT:gpt-5-mini";
const TEXT = "One two three four five six seven eight nine ten";

const ALL = "The person’s instructions for all conversations:\n";
const KIND = "The person’s instructions for conversations of this kind:\n";
const ONE = "The person’s instructions for this conversation:\n";

let chat: ScriptedChat;
let preset: Preset;
beforeAll(async () => {
  chat = await startScriptedChat({ SYSTEM_PROMPT: "Be kind." });
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  await chat.renew();
  chat.provider.reply = continuing(TEXT);
  preset = await made({ name: "Poet", instructions: "Answer in rhymes.", model: GPT, temperature: 1.25 });
});

const call = (method: string, path: string, body?: unknown) =>
  chat.app.call(method, path, { token: chat.ada.token, body });
const made = async (given: object) => (await (await call("POST", conversationPaths.presets, given)).json()) as Preset;
const setAccountInstructions = (instructions: string) => call("PUT", conversationPaths.instructions, { instructions });
const changeChat = (change: object) => chat.call("PATCH", "", change);
const answer = async (request: ReplyRequest) => readReply(await chat.call("POST", "/reply", request));

/** Returns the person's instructions and the temperature of a prompt, after the administrator's prompt and the date. */
function heard({ system, body }: Pick<ScriptedRequest, "system" | "body">) {
  const [own = "", ...parts] = system.split("\n\n");
  const [day, ...person] = parts;
  expect([own, day]).toEqual(["Be kind.", expect.stringMatching(/^Today is \d{4}-\d\d-\d\d\.$/)]);
  return { person, temperature: body.temperature };
}

const lastHeard = () => heard(chat.provider.chats.at(-1) ?? { system: "", body: {} });

it.each([GPT, CLAUDE])("sends %s the account's instructions, then the preset's, then the chat's", async (model) => {
  await chat.send({ model });
  expect(lastHeard()).toEqual({ person: [], temperature: undefined });
  await setAccountInstructions("Call me Ada.");
  await chat.send({ model });
  expect(lastHeard()).toEqual({ person: [`${ALL}Call me Ada.`], temperature: undefined });
  await changeChat({ presetId: preset.id, instructions: "  This is about fjords.\n" });
  await chat.send({ model });
  const person = [`${ALL}Call me Ada.`, `${KIND}Answer in rhymes.`, `${ONE}This is about fjords.`];
  expect(lastHeard()).toEqual({ person, temperature: model === CLAUDE ? 1 : 1.25 });
  await changeChat({ presetId: null, instructions: "" });
  await setAccountInstructions(" ");
  await chat.send({ model });
  expect(lastHeard()).toEqual({ person: [], temperature: undefined });
});

it("sends the instructions, but no temperature, to a model that refuses temperatures", async () => {
  await changeChat({ presetId: preset.id });
  await chat.send({ model: NO_TEMPERATURE });
  expect(lastHeard()).toEqual({ person: [`${KIND}Answer in rhymes.`], temperature: undefined });
});

it("sends neither instructions nor temperature with a title request", async () => {
  await setAccountInstructions("Call me Ada.");
  await changeChat({ presetId: preset.id });
  await chat.send({ model: GPT });
  await expect.poll(() => chat.provider.titles.length).toBe(1);
  expect(chat.provider.titles[0]?.system).not.toContain("Ada");
  expect(chat.provider.titles[0]?.body.temperature).toBeUndefined();
});

it("regenerating, retrying and continuing send the current instructions, not earlier ones", async () => {
  await changeChat({ presetId: preset.id });
  chat.provider.next("broken-off");
  await readReply(await chat.stream({ model: GPT }));
  expect(lastHeard()).toEqual({ person: [`${KIND}Answer in rhymes.`], temperature: 1.25 });
  await call("PATCH", conversationPaths.preset(preset.id), { instructions: "Answer in prose.", temperature: 0 });
  const now = { person: [`${KIND}Answer in prose.`], temperature: 0 };
  await answer({ mode: "continue" });
  expect(lastHeard()).toEqual(now);
  expect((await chat.open()).messages.at(-1)?.content).toBe(TEXT);
  await answer({ mode: "regenerate", model: GPT });
  expect(lastHeard()).toEqual(now);
  await changeChat({ presetId: null });
  await answer({ mode: "retry", model: GPT });
  expect(lastHeard()).toEqual({ person: [], temperature: undefined });
});

it("sends all candidates the same instructions, and the temperature as each model accepts it", async () => {
  await changeChat({ presetId: preset.id });
  chat.provider.next("overloaded", "fast");
  await chat.send();
  expect(chat.provider.chats.map((request) => heard(request).temperature)).toEqual([undefined, 1]);
  expect(new Set(chat.provider.chats.map(({ system }) => system)).size).toBe(1);
});

it("ignores a deleted preset until it is restored; sends succeed meanwhile", async () => {
  await changeChat({ presetId: preset.id });
  await call("DELETE", conversationPaths.preset(preset.id));
  expect((await chat.send({ model: GPT })).ai_response?.state).toBe("complete");
  expect(lastHeard()).toEqual({ person: [], temperature: undefined });
  await call("POST", conversationPaths.presetRestoration(preset.id));
  await chat.send({ model: GPT });
  expect(lastHeard()).toEqual({ person: [`${KIND}Answer in rhymes.`], temperature: 1.25 });
});

it("answers by the requested model instead of the preset's, and refuses an unknown model", async () => {
  await call("PATCH", conversationPaths.preset(preset.id), { model: "GPT:gone" });
  await changeChat({ presetId: preset.id });
  expect((await chat.send({ model: GPT })).ai_response?.model).toBe(GPT);
  const refused = await chat.post("", { model: "GPT:gone" });
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([400, "model-unknown"]);
});

it("continues a reply after a restart with the chat's preset, and without it once it is deleted", async () => {
  await using provider = await startScriptedProvider();
  await using harness = await createTestHarness();
  const env = { OPENAI_API_KEY: "key", OPENAI_BASE_URL: provider.baseUrl, SHUTDOWN_GRACE_MS: "0" };
  const before = await startTestApp({ env, harness });
  const { token } = await signUp(before);
  const given = { name: "Poet", instructions: "Answer in rhymes.", model: GPT, temperature: 0.3 };
  const poet = (await (await before.call("POST", conversationPaths.presets, { token, body: given })).json()) as Preset;
  const ids: string[] = [];
  for (const message of ["First", "Second"]) {
    const born = await before.call("POST", conversationPaths.chats, { token, body: { presetId: poet.id } });
    const { id } = (await born.json()) as Chat;
    ids.push(id);
    provider.next("held");
    const body = { message, model: GPT };
    await before.call("POST", `${conversationPaths.chatSend(id)}?stream=1`, { token, body });
  }
  await provider.chat(2);
  await before[Symbol.asyncDispose]();
  await using now = await startTestApp({ env, harness });
  const goOn = async (chatId: string) => {
    const { messages } = (await (await now.call("GET", conversationPaths.chat(chatId), { token })).json()) as Chat;
    await readReply(
      await now.call("GET", `${conversationPaths.chatReply(chatId)}?reply=${messages.at(-1)?.id}`, { token }),
    );
    const { system = "", body } = provider.chats.at(-1) ?? {};
    return [system.includes(`${KIND}Answer in rhymes.`), body?.temperature];
  };
  expect(await goOn(ids[0] ?? "")).toEqual([true, 0.3]);
  await now.call("DELETE", conversationPaths.preset(poet.id), { token });
  expect(await goOn(ids[1] ?? "")).toEqual([false, undefined]);
  expect(provider.chats).toHaveLength(4);
});

it("sends the account's instructions in a temporary chat, and those of a preset if one is named", async () => {
  await setAccountInstructions("Call me Ada.");
  const ask = async (more: object) => {
    const body = { messages: [{ role: "user", content: "Hello" }], model: GPT, ...more };
    await readReply(await call("POST", conversationPaths.temporaryReply, body));
    return lastHeard();
  };
  const account = `${ALL}Call me Ada.`;
  expect(await ask({})).toEqual({ person: [account], temperature: undefined });
  const both = { person: [account, `${KIND}Answer in rhymes.`], temperature: 1.25 };
  expect(await ask({ presetId: preset.id })).toEqual(both);
  expect(await ask({ presetId: "nobody’s" })).toEqual({ person: [account], temperature: undefined });
});

it("counts instructions towards the model's context window", async () => {
  const words = "x ".repeat(INSTRUCTIONS_MAX / 2);
  await using small = await startScriptedChat({ LOCAL_BASE_URL: chat.provider.baseUrl });
  await small.renew();
  chat.provider.models = [{ id: "small", max_model_len: 2000 }];
  const send = () => small.send({ model: "LOCAL:small" });
  expect((await send()).error).toBeNull();
  await small.call("PATCH", "", { instructions: words });
  expect(await send()).toMatchObject({ ai_response: null, error: expect.stringContaining("too long") });
});

it("returns preset and instructions of a chat when it is read, and sends changes to clients that follow the account", async () => {
  await using follower = await followAccount(chat.app, chat.ada.token);
  expect(await chat.open()).not.toHaveProperty("presetId");
  await changeChat({ presetId: preset.id, instructions: "Be brief." });
  const own = { presetId: preset.id, instructions: "Be brief." };
  expect(await chat.open()).toMatchObject(own);
  expect((await follower.next()) ?? {}).toMatchObject({ chat: { id: chat.chatId, ...own } });
  await changeChat({ presetId: null, instructions: "" });
  const { chat: told } = (await follower.next()) as ChatChanged;
  for (const chatNow of [told, await chat.open()]) {
    expect(chatNow).not.toHaveProperty("presetId");
    expect(chatNow).not.toHaveProperty("instructions");
  }
});

it("stores the effort of a chat, and returns it when the chat is read and to clients that follow the account", async () => {
  await using follower = await followAccount(chat.app, chat.ada.token);
  await changeChat({ effort: "high" });
  expect(await chat.open()).toMatchObject({ effort: "high" });
  expect((await follower.next()) ?? {}).toMatchObject({ chat: { id: chat.chatId, effort: "high" } });
  await changeChat({ effort: null });
  const { chat: told } = (await follower.next()) as ChatChanged;
  for (const chatNow of [told, await chat.open()]) expect(chatNow).not.toHaveProperty("effort");
  expect((await changeChat({ effort: "huge" })).status).toBe(400);
  const headers = { "idempotency-key": "one" };
  const create = (body: object) =>
    chat.app.call("POST", conversationPaths.chats, { token: chat.ada.token, body, headers });
  const [born, again] = [await create({ effort: "low" }), await create({ effort: "low" })];
  const created = (await born.json()) as Chat;
  expect(created).toMatchObject({ effort: "low" });
  expect(await again.json()).toMatchObject({ id: created.id });
  expect((await create({ effort: "max" })).status).toBe(409);
});

it("refuses presets that are deleted, unknown or of others, and instructions that are too long or no text", async () => {
  const eve = await signUp(chat.app);
  const body = { name: "Eve’s", instructions: "", model: null, temperature: null };
  const eves = (await (
    await chat.app.call("POST", conversationPaths.presets, { token: eve.token, body })
  ).json()) as Preset;
  await call("DELETE", conversationPaths.preset(preset.id));
  const refusals = [];
  for (const presetId of [eves.id, preset.id, "nobody’s"]) {
    const response = await changeChat({ presetId });
    refusals.push([response.status, await response.text()]);
  }
  expect(new Set(refusals.map(String)).size).toBe(1);
  expect(refusals[0]).toEqual([404, expect.stringContaining("preset-gone")]);
  for (const change of [{ presetId: 7 }, { instructions: null }, { instructions: "x".repeat(INSTRUCTIONS_MAX + 1) }]) {
    expect([change, (await changeChat(change)).status]).toEqual([change, 400]);
    expect([change, (await call("POST", conversationPaths.chats, change)).status]).toEqual([change, 400]);
  }
  const others = await chat.app.call("PATCH", conversationPaths.chat(chat.chatId), {
    token: eve.token,
    body: { presetId: eves.id },
  });
  expect(others.status).toBe(404);
  expect(await chat.open()).not.toHaveProperty("presetId");
});

it("creates a chat with a preset and instructions, once for its idempotency key", async () => {
  const create = (body: object, key = "born") =>
    chat.app.call("POST", conversationPaths.chats, {
      token: chat.ada.token,
      body,
      headers: { "idempotency-key": key },
    });
  const body = { presetId: preset.id, instructions: "Be brief." };
  const first = await create(body);
  const born = (await first.json()) as Chat;
  expect([first.status, born]).toEqual([201, { ...born, ...body, messages: [] }]);
  expect(await (await create(body)).json()).toEqual(born);
  expect((await create({ ...body, instructions: "Be long." })).status).toBe(409);
  expect((await create({})).status).toBe(409);
  expect((await create({ presetId: "nobody’s" }, "other")).status).toBe(404);
  await call("POST", conversationPaths.chatSend(born.id), { message: "Hello", model: GPT });
  expect(lastHeard()).toEqual({ person: [`${KIND}Answer in rhymes.`, `${ONE}Be brief.`], temperature: 1.25 });
});
