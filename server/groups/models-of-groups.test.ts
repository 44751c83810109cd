import { expect, it, onTestFinished } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { CONNECTION_MODELS_MAX, MODEL_NAME_MAX, SLUG_MAX } from "#contract/administration/connections.ts";
import type { GroupChange, NewGroup } from "#contract/administration/groups.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { modelListSchema } from "#contract/models/models.ts";
import { modelPaths } from "#contract/models/paths.ts";
import { moveToGroup, newGroup } from "../../testing/accounts/groups.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import type { TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { startChatWithModels } from "../../testing/chats/chat-with-models.ts";
import type { ScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { startTwoProcesses } from "../../testing/chats/two-processes.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { problemOf } from "../../testing/http/problem-of.ts";
import { readReply } from "../../testing/http/read-events.ts";
import type { Database } from "../database/schema.ts";
import type { CatalogueModel } from "../models/catalogue.ts";
import { readModelAccess } from "./read-model-access.ts";

const [small, large, other] = ["LOCAL:small", "LOCAL:large", "CLAUDE:elsewhere"] as const;
/** Models that the local server has besides. */
const unnamed = ["LOCAL:llama3.2:3b", "LOCAL:qwen3:8b"];
const model = (value: string): CatalogueModel => ({
  ...{ label: value, value, contextTokens: 8000, maxOutputTokens: 1000 },
});

/** Returns a server with two models, and its account in a group. */
async function startInGroup(given: Partial<NewGroup>) {
  const chat = await startChatWithModels([large, small, other].map(model));
  onTestFinished(() => chat[Symbol.asyncDispose]());
  await chat.renew();
  const owner = await signUpAs(chat.app, "owner");
  const group = await newGroup(chat.app, owner, given);
  await moveToGroup(chat.app, group.id, chat.ada);
  const change = (body: GroupChange) => changeGroup(chat.app, owner, group.id, body);
  return { chat, owner, group, change };
}

async function changeGroup(app: TestApp, { token }: TestAccount, id: string, body: GroupChange): Promise<void> {
  const response = await app.call("PATCH", administrationPaths.group(id), { token, body });
  expect(response.status).toBe(200);
}

const codeOf = async (response: Response) => (response.ok ? 200 : (await problemOf(response)).code);

/** Waits for the title, which is a call of its own. */
const isTitled = (chat: ScriptedChat) => expect.poll(() => chat.provider.titles.length).toBe(1);

async function listed(app: TestApp, { token }: Pick<TestAccount, "token">) {
  return modelListSchema.parse(await (await app.call("GET", modelPaths.models, { token })).json());
}

it("lists only the models of the group, without empty sections, and marks the default", async () => {
  const { chat, owner, change } = await startInGroup({ models: [small, "GPT:gone"], defaultModel: small });
  const options = (await listed(chat.app, chat.ada)).map(({ models }) => models.map((one) => [one.value, one.default]));
  expect(options).toEqual([[[small, true]]]);
  const all = (await listed(chat.app, owner)).flatMap(({ models }) => models);
  expect(all.map(({ value }) => value)).toEqual([large, small, other, ...unnamed]);
  expect(all.every((option) => option.default === undefined)).toBe(true);
  await change({ models: null });
  const free = (await listed(chat.app, chat.ada)).flatMap(({ models }) => models);
  expect(free.map((option) => [option.value, option.default])).toEqual([
    [large, undefined],
    [small, true],
    [other, undefined],
    ...unnamed.map((value) => [value, undefined]),
  ]);
  await change({ models: [other], defaultModel: null });
  await change({ models: ["GPT:gone"] });
  expect(await listed(chat.app, chat.ada)).toEqual([]);
});

it("refuses a model hidden by the group at every kind of reply, and stores nothing", async () => {
  const { chat, change } = await startInGroup({ models: null });
  const { token } = chat.ada;
  const send = (value: string) => chat.post("", { model: value });
  expect(await codeOf(await send(large))).toBe(200);
  await change({ models: [small] });
  chat.provider.reset();
  const { messages } = await chat.open();
  const answer = (mode: string, value?: string) =>
    chat.call("POST", "/reply", { mode, ...(value !== undefined && { model: value }) });
  const temporary = (value: string) =>
    app.call("POST", conversationPaths.temporaryReply, {
      token,
      body: { model: value, messages: [{ role: "user", content: "Hi" }] },
    });
  const { app } = chat;
  for (const value of [large, other, "GPT:none"]) {
    expect([value, await codeOf(await send(value))]).toEqual([value, "model-unknown"]);
    expect([value, await codeOf(await answer("regenerate", value))]).toEqual([value, "model-unknown"]);
    expect([value, await codeOf(await answer("continue", value))]).toEqual([value, "model-unknown"]);
    expect([value, await codeOf(await temporary(value))]).toEqual([value, "model-unknown"]);
  }
  // The model of the answer that would be continued.
  expect(await codeOf(await answer("continue"))).toBe("model-unknown");
  expect((await chat.open()).messages).toEqual(messages);
  expect(chat.provider.chats).toEqual([]);
  expect(await codeOf(await send(small))).toBe(200);
  await readReply(await temporary(small));
  expect(chat.provider.chats.map((call) => call.model)).toEqual(["small", "small"]);
});

it("automatic choice tries only the group's models, also when the first of them fails", async () => {
  const { chat, change } = await startInGroup({ models: [small] });
  const asked = async () => {
    chat.provider.reset();
    const { ai_response: reply } = await chat.send();
    return [reply?.model, new Set(chat.provider.chats.map((call) => call.model))];
  };
  expect(await asked()).toEqual([small, new Set(["small"])]);
  await isTitled(chat);
  chat.provider.next("error-before-first-word");
  expect(await asked()).toEqual([small, new Set(["small"])]);
  await change({ models: ["GPT:gone"] });
  const { messages } = await chat.open();
  expect(await codeOf(await chat.post(""))).toBe("model-unavailable");
  expect(await codeOf(await chat.post("", { model: "auto" }))).toBe("model-unavailable");
  expect((await chat.open()).messages).toEqual(messages);
});

it("the default model of the group is asked first if no model is named, and others if it fails", async () => {
  const { chat, change } = await startInGroup({ defaultModel: small });
  const modelOf = async (sending = {}) => (await chat.send(sending)).ai_response?.model;
  expect(await modelOf()).toBe(small);
  expect(await modelOf({ model: "auto" })).toBe(small);
  expect(await modelOf({ model: large })).toBe(large);
  await isTitled(chat);
  chat.provider.next("error-before-first-word");
  expect(await modelOf()).toBe(large);
  await change({ defaultModel: null });
  expect(await modelOf()).toBe(large);
  // The server does not have it.
  await change({ defaultModel: "GPT:gone" });
  expect(await modelOf()).toBe(large);
});

it("the title is written by the model of the reply, which the group permits", async () => {
  const { chat } = await startInGroup({ models: [small] });
  await chat.send();
  await isTitled(chat);
  expect(chat.provider.titles.map((call) => call.model)).toEqual(["small"]);
});

it("a group names as many models as a connection can list, with the longest names", async () => {
  await using app = await startTestApp({ env: { RATE_LIMITS: "off" } });
  const owner = await signUpAs(app, "owner");
  const name = (at: number) => `${"S".repeat(SLUG_MAX)}:${String(at).padStart(MODEL_NAME_MAX, "m")}`;
  const models = Array.from({ length: CONNECTION_MODELS_MAX }, (_, at) => name(at));
  const group = await newGroup(app, owner, { models });
  expect(group.models).toEqual(models);
  expect(group.unknownModels).toHaveLength(CONNECTION_MODELS_MAX);
  await expect(newGroup(app, owner, { models: [...models, name(-1)] })).rejects.toThrow("answered 400");
});

it("the models of an account without a group cost no SQL statement", async () => {
  const refusing = new Proxy({} as Database, {
    get: () => {
      throw new Error("A statement");
    },
  });
  expect(await readModelAccess(refusing, { userId: "ada", groupId: null })).toMatchObject({
    permitted: null,
    first: null,
    caller: { account: "ada", group: "" },
  });
});

it.skipIf(!isOnPostgres)(
  "a change of the group's models takes effect with the next send on every process",
  async () => {
    const value = "GPT:gpt-5-mini";
    await using processes = await startTwoProcesses({ RATE_LIMITS: "off" });
    const { token, id } = await processes.renew();
    const { one, other: second } = processes;
    const send = (app: TestApp) =>
      app.call("POST", conversationPaths.chatSend(id), { token, body: { message: "Hi", model: value } }).then(codeOf);
    const owner = await signUpAs(one, "owner");
    const user = (await (await one.call("GET", accountPaths.me, { token })).json()) as TestAccount["user"];
    const group = await newGroup(one, owner, { models: ["GPT:gpt-5"] });
    expect(await send(second)).toBe(200);
    const assign = (groupId: string | null) =>
      one.call("PATCH", administrationPaths.account(user.id), { token: owner.token, body: { groupId } });
    expect((await assign(group.id)).status).toBe(200);
    expect(await send(second)).toBe("model-unknown");
    await changeGroup(one, owner, group.id, { models: ["GPT:gpt-5", value] });
    expect(await send(second)).toBe(200);
    await changeGroup(second, owner, group.id, { models: ["GPT:gpt-5"] });
    expect(await send(one)).toBe("model-unknown");
    expect((await one.call("DELETE", administrationPaths.group(group.id), { token: owner.token })).status).toBe(200);
    expect(await send(second)).toBe(200);
  },
);
