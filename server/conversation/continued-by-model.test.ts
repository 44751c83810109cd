import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Chat, Message } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { Preset } from "#contract/conversation/presets.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp, type TestApp, type TestHarness } from "../../testing/app/start-test-app.ts";
import { readEvents, readReply } from "../../testing/http/read-events.ts";
import { continuing } from "../../testing/provider/continuing.ts";
import {
  type ScriptedProvider,
  type ScriptedRequest,
  startScriptedProvider,
} from "../../testing/provider/scripted-provider.ts";

const TEXT = "One two three four five six seven eight nine ten";

type Expected = {
  value: string;
  /** Path of the API that is called. */
  path: string;
  facts: object;
  /** Whether the model continues an answer at the end of the prompt. */
  isPrefilled?: boolean;
  /** Fields of the request that ask for the effort `high`, unless an answer at the end excludes them. */
  reasoning?: object;
  /** Phase with which the Responses API receives the answer. */
  phase?: "final_answer";
};

const CHAT = "/v1/chat/completions";
const responses = { path: "/v1/responses" };
const completions = { path: CHAT };
const messages = { path: "/v1/messages" };
const efforts = ["low", "high"];

/** Every API, with and without reasoning, with and without an answer at the end of the prompt. */
const models: Expected[] = [
  {
    ...responses,
    value: "GPT:gpt-5-mini",
    facts: { api: "responses", reasoning: "effort", efforts },
    reasoning: { reasoning: { effort: "high", summary: "auto" } },
  },
  {
    ...responses,
    value: "GPT:gpt-6.1-terra",
    facts: { api: "responses" },
    reasoning: { reasoning: { effort: "high", summary: "auto" } },
    phase: "final_answer",
  },
  { ...responses, value: "GPT:gpt-4.1-nano", facts: { api: "responses", reasoning: "none" } },
  {
    ...completions,
    value: "GPT:gpt-5",
    facts: { api: "chat-completions", reasoning: "effort", efforts },
    reasoning: { reasoning_effort: "high" },
  },
  { ...completions, value: "GPT:gpt-4.1", facts: {} },
  {
    ...messages,
    value: "CLAUDE:claude-sonnet-4-5-20250929",
    facts: { prefill: true, reasoning: "budget", efforts },
    isPrefilled: true,
    reasoning: { thinking: { type: "enabled", budget_tokens: 2048 } },
  },
  {
    ...messages,
    value: "CLAUDE:claude-sonnet-4-20250514",
    facts: { prefill: true, reasoning: "none" },
    isPrefilled: true,
  },
  {
    ...messages,
    value: "CLAUDE:claude-haiku-4-5",
    facts: { prefill: false, reasoning: "budget", efforts },
    reasoning: { thinking: { type: "enabled", budget_tokens: 2048 } },
  },
  {
    ...messages,
    value: "CLAUDE:claude-opus-5-5",
    facts: {},
    reasoning: { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "high" } },
  },
  { ...messages, value: "CLAUDE:claude-sonnet-4-6", facts: { reasoning: "none", prefill: false } },
];

/** A local model, whose provider breaks off before the model of the test continues. */
const BREAKING = "LOCAL:qwen3:8b";

let provider: ScriptedProvider;
let harness: TestHarness;
beforeAll(async () => {
  provider = await startScriptedProvider();
  harness = await createTestHarness();
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
beforeEach(() => {
  provider.reset();
  provider.reply = continuing(TEXT);
});

async function start(automatic: string): Promise<TestApp> {
  const size = { contextTokens: 20_000, maxOutputTokens: 4096 };
  const entries = models.map(({ value, facts }) => ({ label: value, value, ...size, ...facts }));
  const groups = [{ label: "All", models: [...entries, { label: BREAKING, value: BREAKING, ...size }] }];
  const file = join(harness.dataDir, "models.json");
  await writeFile(file, JSON.stringify({ groups, automatic: [BREAKING, automatic] }));
  const key = { OPENAI_API_KEY: "key", ANTHROPIC_API_KEY: "key", MODELS_FILE: file, SHUTDOWN_GRACE_MS: "0" };
  const { baseUrl } = provider;
  const urls = { OPENAI_BASE_URL: baseUrl, ANTHROPIC_BASE_URL: baseUrl, LOCAL_BASE_URL: baseUrl };
  return startTestApp({ env: { ...key, ...urls }, harness });
}

/** Creates an account's chat whose preset asks for the effort `high`, if the model has it. */
async function openChat(app: TestApp, { reasoning }: Expected) {
  const { token } = await signUp(app);
  const call = (method: string, path: string, body?: unknown, on = app) => on.call(method, path, { token, body });
  const { id } = (await (await call("POST", conversationPaths.chats)).json()) as Chat;
  if (reasoning) {
    const given = { name: "Thinker", instructions: "", model: null, temperature: null, effort: "high" };
    const preset = (await (await call("POST", conversationPaths.presets, given)).json()) as Preset;
    expect((await call("PATCH", conversationPaths.chat(id), { presetId: preset.id })).ok).toBe(true);
  }
  const last = async (on = app): Promise<Message> => {
    const message = ((await (await call("GET", conversationPaths.chat(id), undefined, on)).json()) as Chat).messages.at(
      -1,
    );
    if (!message) throw new Error("The chat is empty");
    return message;
  };
  return { id, token, call, last };
}

/** Expects a request that asks for the continuation of `text` in the model's own form. */
function expectContinuation(
  request: ScriptedRequest | undefined,
  { path, reasoning, isPrefilled, phase }: Expected,
  text: string,
) {
  const { body, messages: asked = [] } = request ?? {};
  expect(request?.path).toBe(path);
  if (Array.isArray(body?.input)) {
    const answers = body.input.filter(({ role }) => role === "assistant");
    expect(answers.map((sent) => sent.phase)).toEqual([phase]);
  }
  const answer = { role: "assistant", content: text.trimEnd() };
  if (isPrefilled) {
    expect(asked.at(-1)).toEqual(answer);
    expect(body).not.toHaveProperty("thinking");
  } else {
    expect(asked.at(-2)).toMatchObject({ role: "assistant", content: text });
    expect(asked.at(-1)?.content).toMatch(/^Continue exactly where/);
    expect(body).toMatchObject(reasoning ?? {});
    for (const name of reasoning ? [] : ["thinking", "output_config", "reasoning", "reasoning_effort"]) {
      expect(body).not.toHaveProperty(name);
    }
  }
}

describe.each(models)("broken-off replies of $value by $path, with $facts", (expected) => {
  const { value, reasoning, path } = expected;

  it("Continue completes a broken-off reply, also after reasoning", async () => {
    await using app = await start(value);
    const { id, call, last } = await openChat(app, expected);
    provider.next("broken-off", "reasoning-first");
    await readReply(
      await call("POST", `${conversationPaths.chatSend(id)}?stream=1`, { message: "Count.", model: value }),
    );
    const { content, state } = await last();
    expect([state, content.length > 0]).toEqual(["failed", true]);
    expect(provider.chats[0]?.path).toBe(path);
    expect(provider.chats[0]?.body).toMatchObject(reasoning ?? {});
    const added = await readReply(await call("POST", conversationPaths.chatReply(id), { mode: "continue" }));
    expect(added.failure).toBeUndefined();
    expect(await last()).toMatchObject({ content: TEXT, state: "complete", model: value, seams: [content.length] });
    expect(provider.chats).toHaveLength(2);
    expectContinuation(provider.chats[1], expected, content);
  });

  it("automatic choice continues a reply that another provider began", async () => {
    await using app = await start(value);
    const { id, call, last } = await openChat(app, expected);
    provider.next("broken-off", "reasoning-first");
    const told = await readReply(
      await call("POST", `${conversationPaths.chatSend(id)}?stream=1`, { message: "Count." }),
    );
    expect(told).toMatchObject({ text: TEXT, failure: undefined });
    const { seams = [], ...reply } = await last();
    expect(reply).toMatchObject({ content: TEXT, state: "complete", model: value });
    expect(provider.chats.map(({ path: called }) => called)).toEqual([CHAT, path]);
    expectContinuation(provider.chats[1], expected, TEXT.slice(0, seams[0]));
  });

  it("a broken-off reply continues automatically when its reader returns after a restart", async () => {
    const begun = "One two ";
    const before = await start(value);
    const { id, token, call, last } = await openChat(before, expected);
    provider.next("held");
    const body = { message: "Count.", model: value };
    const stream = readEvents(await call("POST", `${conversationPaths.chatSend(id)}?stream=1`, body));
    provider.release(begun);
    for await (const event of stream) if (event !== "[DONE]" && event.token) break;
    await before[Symbol.asyncDispose]();
    await using after = await start(value);
    const { id: reply, state, content } = await last(after);
    expect([state, content]).toEqual(["interrupted", begun]);
    const query = `?reply=${reply}&from=${begun.length}`;
    await readReply(await after.call("GET", `${conversationPaths.chatReply(id)}${query}`, { token }));
    const whole = await last(after);
    expect(whole).toMatchObject({ state: "complete", model: value, seams: [begun.length] });
    expect(whole.content.replaceAll(/\s+/g, " ")).toBe(TEXT);
    expectContinuation(provider.chats[1], expected, begun);
  });
});
