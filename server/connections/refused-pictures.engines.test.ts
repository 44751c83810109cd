import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { chatSchema } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { OwnerOfConnections } from "../../testing/accounts/connections.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import type { TestAccount } from "../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp, type TestApp, type TestHarness } from "../../testing/app/start-test-app.ts";
import { pngOf } from "../../testing/files/picture-encoders.ts";
import { uploadFile } from "../../testing/files/upload.ts";
import {
  type ScriptedServer,
  SERVER_KEY,
  SERVER_REPLY,
  startScriptedServer,
} from "../../testing/provider/servers/scripted-server.ts";

const NAME = "Qwen/Qwen3-32B";
const MODEL = `V:${NAME}`;

let opened: AsyncDisposableStack;
let harness: TestHarness;
let server: ScriptedServer;
let app: TestApp;
let owner: TestAccount;
let connections: OwnerOfConnections;

beforeEach(async () => {
  opened = new AsyncDisposableStack();
  server = opened.use(await startScriptedServer("vllm"));
  harness = opened.use(await createTestHarness(undefined, { isMigrated: true }));
  app = opened.use(await startTestApp({ harness, env: { RATE_LIMITS: "off" } }));
  owner = await signUpAs(app, "owner");
  connections = new OwnerOfConnections(app, owner);
  await connections.create({ kind: "openai", name: "V", baseUrl: server.address, apiKey: SERVER_KEY });
});
afterEach(() => opened[Symbol.asyncDispose]());

/** Sends a question with a picture in a new chat. @returns the answer's text, and its notices of files */
async function askWithPicture(at = app, by = owner) {
  const { token } = by;
  const { id } = chatSchema.parse(await (await at.call("POST", conversationPaths.chats, { token })).json());
  const file = await uploadFile(at, { token, name: "cat.png", bytes: pngOf(1, 1, Buffer.alloc(4)) });
  const body = { message: "What is this?", model: MODEL, files: [file.id] };
  await (await at.call("POST", conversationPaths.chatSend(id), { token, body })).text();
  const chat = chatSchema.parse(await (await at.call("GET", conversationPaths.chat(id), { token })).json());
  const { content, parts = [] } = chat.messages.at(-1) ?? {};
  return [content, ...parts.flatMap((part) => (part.kind === "notice" ? [part.params] : []))];
}

const noPictures = expect.objectContaining({ name: "cat.png", received: "none", reason: "no-pictures", by: MODEL });
/** Returns, for each chat that the server has received, whether it had a picture. */
const hadPictures = () =>
  server.requests
    .filter(({ kind, model }) => kind === "chat" && model === NAME)
    .map(({ messages }) => messages.some(({ files = [] }) => files.length > 0));
const factsOf = async (of = connections) => (await of.models("V")).find(({ name }) => name === NAME)?.facts;
const optionOf = async (of = connections) =>
  (await of.choices()).flatMap(({ models }) => models).find(({ value }) => value === MODEL);

it("a model whose server does not report pictures is sent one, and its refusal is remembered", async () => {
  expect(await optionOf()).toMatchObject({ triesPictures: true });
  expect(await factsOf()).not.toHaveProperty("images");
  expect(await askWithPicture()).toEqual([SERVER_REPLY, noPictures]);
  expect(hadPictures()).toEqual([true, false]);
  await vi.waitUntil(async () => (await factsOf())?.images === false);
  expect(await optionOf()).not.toHaveProperty("triesPictures");
  const [content] = await askWithPicture();
  expect(content).toBe(SERVER_REPLY);
  expect(hadPictures()).toEqual([true, false, false]);
  await connections.refresh("V");
  expect(await factsOf()).toMatchObject({ images: false });
});

it("another process knows of the refusal, and what an owner enters is stronger", async () => {
  await askWithPicture();
  await vi.waitUntil(async () => (await factsOf())?.images === false);
  await app[Symbol.asyncDispose]();
  const other = opened.use(await startTestApp({ harness, env: { RATE_LIMITS: "off" } }));
  const by = await signUpAs(other, "owner");
  const later = new OwnerOfConnections(other, by);
  expect(await optionOf(later)).not.toHaveProperty("triesPictures");
  await askWithPicture(other, by);
  expect(hadPictures()).toEqual([true, false, false]);
  await later.changeModels("V", [{ name: NAME, overrides: { images: true } }]);
  expect(await optionOf(later)).toMatchObject({ images: true });
  await askWithPicture(other, by);
  expect(hadPictures()).toEqual([true, false, false, true, false]);
  expect(await optionOf(later)).toMatchObject({ images: true });
});
