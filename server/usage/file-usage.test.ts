import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { modelPaths } from "#contract/models/paths.ts";
import { messageUsageSchema, usageSchema } from "#contract/models/usage.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp } from "../../testing/app/start-test-app.ts";
import { startChatWithModels } from "../../testing/chats/chat-with-models.ts";
import type { ScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { pdfOf } from "../../testing/files/pdf-files.ts";
import { pngOf } from "../../testing/files/picture-encoders.ts";
import { uploadFile } from "../../testing/files/upload.ts";
import { problemOf } from "../../testing/http/problem-of.ts";
import { billedBy, invoiceOf, toPrice } from "../../testing/provider/invoice.ts";
import { startScriptedProvider } from "../../testing/provider/scripted-provider.ts";

const tariff = { input: 250_000n, output: 2_000_000n };
const { input: inputPrice, output: outputPrice } = toPrice(tariff);
const size = { contextTokens: 100_000, maxOutputTokens: 1000, inputPrice, outputPrice };
const SEEING = "GPT:gpt-4.1-nano";
const CLAUDE = "CLAUDE:claude-sonnet-4-5-20250929";
const BLIND = "GPT:blind";
const models = [
  { ...size, label: "Seeing", value: SEEING, images: true, pdf: true },
  { ...size, label: "Claude", value: CLAUDE, images: true, pdf: true },
  { ...size, label: "Blind", value: BLIND, images: false, pdf: false },
];

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startChatWithModels(models, { DAILY_REPLIES_PER_USER: "3" });
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  chat.provider.reset();
  await chat.renew();
});

const png = pngOf(40, 30, Buffer.alloc(30 * 121));

async function uploadAll({ app, token } = { app: chat.app, token: chat.ada.token }): Promise<string[]> {
  const files = [
    { name: "a.png", bytes: png },
    { name: "b.pdf", bytes: pdfOf("Words of a fjord") },
    { name: "c.txt", bytes: "Further words\n".repeat(100) },
  ];
  const ids: string[] = [];
  for (const file of files) ids.push((await uploadFile(app, { token, ...file })).id);
  return ids;
}

async function usage() {
  const answer = await chat.app.call("GET", `${modelPaths.usage}?months=2`, { token: chat.ada.token });
  return usageSchema.parse(await answer.json());
}

it("the month of an account with files agrees with the provider's invoice, refused calls included", async () => {
  const files = await uploadAll();
  let nth = 0;
  chat.provider.tokens = () => ({ input: 1000 + 7 * nth++, cached: 0, output: 20, reasoning: 0 });
  await chat.send({ model: SEEING, message: "", files });
  await chat.send({ model: BLIND, message: "And?" });
  // The file is left out of a second call, which alone is charged.
  chat.provider.refuse = ({ messages }) =>
    messages.some(({ files: sent }) => sent) ? { status: 400, body: '{"error":{"code":"invalid_image"}}' } : undefined;
  await chat.send({ model: CLAUDE, message: "And?" });
  // The title is the fourth charged call.
  await vi.waitUntil(() => chat.provider.charged.length === 4);
  const charged = chat.provider.charged.map(({ model, charges }) => {
    return { model: `${model.startsWith("claude") ? "CLAUDE" : "GPT"}:${model}`, tariff, charges };
  });
  await vi.waitUntil(async () => (await usage()).months.reduce((sum, { calls }) => sum + calls, 0) >= 5);
  const billed = await usage();
  const invoice = invoiceOf(charged);
  // A refused call is counted, and costs nothing.
  const sums = (lines: typeof invoice) =>
    Object.fromEntries([...lines].map(([model, { calls, ...line }]) => [model, line]));
  expect(sums(billedBy(billed))).toEqual(sums(invoice));
  expect(billedBy(billed).get(CLAUDE)?.calls).toBe(2);
});

it("a refused file costs one reply of the daily limit, not two", async () => {
  const { id } = await uploadFile(chat.app, { ...chat.ada, name: "a.png", bytes: png });
  chat.provider.refuse = ({ messages }) =>
    messages.some(({ files }) => files) ? { status: 400, body: '{"error":{"code":"invalid_image"}}' } : undefined;
  for (const status of [200, 200, 200, 429]) {
    const response = await chat.post("", { model: SEEING, files: [id] });
    expect(response.status).toBe(status);
    if (status === 429) expect((await problemOf(response)).code).toBe("too-many-requests");
    else await response.text();
  }
});

it("a title for a question of files alone is requested with their names, without their content", async () => {
  const files = await uploadAll();
  await chat.send({ model: SEEING, message: "", files });
  await vi.waitUntil(() => chat.provider.titles.length === 1);
  const [title] = chat.provider.titles;
  expect(JSON.stringify(title?.messages)).toContain("a.png, b.pdf, c.txt");
  expect(JSON.stringify(title?.body)).not.toContain("Further words");
  expect(title?.messages.flatMap(({ files: sent = [] }) => sent)).toEqual([]);
  await vi.waitUntil(async () => (await chat.open()).title === chat.provider.title);
});

it.each([
  // 255 tokens of a small picture, and 3,000 of a page.
  [SEEING, 3255],
  [BLIND, 0],
])(
  "the unfinished call of a killed process to %s counts files in the forms in which they were sent",
  async (model, native) => {
    await using provider = await startScriptedProvider();
    await using harness = await createTestHarness();
    const file = join(harness.dataDir, "models.json");
    await writeFile(file, JSON.stringify({ groups: [{ label: "All", models }] }));
    const env = { OPENAI_API_KEY: "key", OPENAI_BASE_URL: provider.baseUrl, MODELS_FILE: file };
    const app = await startTestApp({ env, harness });
    const { token } = await signUp(app);
    const { id } = (await (await app.call("POST", conversationPaths.chats, { token })).json()) as { id: string };
    const files = await uploadAll({ app, token });
    await app.call("POST", conversationPaths.chatSend(id), { token, body: { message: "See?", model, files } });
    // The state after a kill while a reply was continued.
    const { database } = app.context;
    await database.deleteFrom("model_calls").execute();
    const { id: reply } = await database
      .updateTable("messages")
      .set({ state: "writing", ended_at: null, content: "abc".repeat(2000) })
      .where("role", "=", "assistant")
      .returning("id")
      .executeTakeFirstOrThrow();
    await app[Symbol.asyncDispose]();
    await using next = await startTestApp({ env, harness });
    const answer = await next.call("GET", modelPaths.messageUsage(id, reply), { token });
    const [call] = messageUsageSchema.parse(await answer.json()).calls;
    expect(call).toMatchObject({ model, isEstimate: true });
    // 2,000 tokens of the answer that the call continued, 467 of text, and the words around it.
    const tokens = (call?.inputTokens ?? 0) - native - 2000;
    expect(tokens).toBeGreaterThan(467);
    expect(tokens).toBeLessThan(1200);
  },
);
