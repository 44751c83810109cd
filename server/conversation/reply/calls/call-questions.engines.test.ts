import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ToolPart } from "#contract/conversation/known-parts.ts";
import type { DecisionAnswer } from "#contract/conversation/tool-calls.ts";
import type { FormAnswers, ToolForm } from "#contract/conversation/tool-forms.ts";
import { createTestHarness, startTestApp } from "../../../../testing/app/start-test-app.ts";
import { waitFor } from "../../../../testing/app/wait-for.ts";
import { expectExactCounters } from "../../../../testing/chats/exact-counters.ts";
import { ScriptedChat, startScriptedChat } from "../../../../testing/chats/scripted-chat.ts";
import { canvasPng } from "../../../../testing/files/canvas-pictures.ts";
import { readReply } from "../../../../testing/http/read-events.ts";
import { startScriptedProvider } from "../../../../testing/provider/scripted-provider.ts";
import { shopCall as call, scriptCalls } from "../../../../testing/tools/script-calls.ts";
import { ScriptedShop } from "../../../../testing/tools/scripted-shop.ts";
import type { Tool, ToolContext } from "../../../tools/tool.ts";

const SIZE: ToolForm = {
  key: "size",
  message: "Which size?",
  fields: [{ name: "size", kind: "text", isRequired: true }],
};

const shop = new ScriptedShop();
/** The resumption of each execution of `buy`. */
const resumed: ToolContext["resumption"][] = [];
let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat({}, { toolGroups: [shop] });
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  shop.reset();
  resumed.length = 0;
  chat.provider.reset();
  await chat.renew();
  await chat.call("PATCH", "", { tools: ["shop"] });
  scriptCalls(chat.provider, [[call("buy", "tea")]], "Bought.");
});

/** Makes `buy` ask for a size so often before it buys. */
function askForSize(times = 1): void {
  shop.act = async ({ item }, { resumption }) => {
    resumed.push(resumption);
    const rounds = resumed.length;
    if (rounds <= times) return { text: "", question: { forms: [SIZE], state: `opaque ${rounds}` } };
    const size = resumption?.answers === null ? "no size" : String(resumption?.answers?.forms[0]?.values.size);
    return { text: `${String(item)} of ${size}` };
  };
}

const buy = async (): Promise<ToolPart | undefined> => (await chat.partsOf("tool")).at(-1);
const stored = () =>
  chat.app.context.database
    .selectFrom("tool_resumptions")
    .innerJoin("messages", "messages.id", "tool_resumptions.message_id")
    .selectAll("tool_resumptions")
    .where("messages.chat_id", "=", chat.chatId)
    .execute();

async function decide(answer: DecisionAnswer, answers?: FormAnswers) {
  const { id: reply } = await chat.last();
  const part = await buy();
  if (!part) throw new Error("There is no call");
  const { seq, digest, attempt } = part;
  return chat.call("POST", "/decision", { reply, decisions: [{ seq, digest, attempt, answer, answers }] });
}

const sizeOf = async (size: string): Promise<FormAnswers> => ({
  id: (await buy())?.question?.id ?? "",
  forms: [{ key: "size", values: { size } }],
});

const join = async () => readReply(await chat.call("GET", `/reply?reply=${(await chat.last()).id}`));

/** Approves the call, and reads until the reply waits again or has ended. */
async function approve(): Promise<void> {
  await readReply(await chat.stream());
  expect((await decide("once")).status).toBe(200);
  await join();
}

it("a model receives 128 tools at most, and a notice says how many are left out", async () => {
  const group = "many";
  const tools = Array.from(
    { length: 130 },
    (_, at): Tool => ({
      group,
      name: at === 129 ? "tool 0" : `tool_${at}`,
      description: "",
      parameters: { type: "object" },
      reach: "nothing",
      isRepeatable: true,
      run: async () => ({ text: "" }),
    }),
  );
  await using many = await startScriptedChat({}, { toolGroups: [{ slug: group, isAvailable: () => true, tools }] });
  await many.renew();
  await many.call("PATCH", "", { tools: [group] });
  await readReply(await many.stream());
  expect(await many.partsOf("notice")).toMatchObject([{ code: "tools-left-out", params: { tools: 2 } }]);
  expect(many.provider.chats[0]?.body.tools).toHaveLength(128);
});

describe("a tool that ends with a question", () => {
  it("a call that asks waits for the person without a slot, and continues with the answers and its own state", async () => {
    askForSize();
    await approve();
    expect(await chat.last()).toMatchObject({ state: "waiting" });
    expect(await buy()).toMatchObject({ state: "asking", asked: 1, question: { forms: [SIZE] } });
    expect((await decide("submit", await sizeOf("1 kg"))).status).toBe(200);
    await join();
    const answers = { id: expect.any(String), forms: [{ key: "size", values: { size: "1 kg" } }] };
    expect(resumed).toEqual([undefined, { state: "opaque 1", answers }]);
    expect(await buy()).toMatchObject({ state: "succeeded", result: "tea of 1 kg" });
    expect((await buy())?.question).toBeUndefined();
    expect(await chat.last()).toMatchObject({ state: "complete", content: "Bought." });
    expect(await stored()).toEqual([]);
    await expectExactCounters(chat.app.context.database);
  });

  it("a tool that ends with a question may ask several times, each time by another question", async () => {
    askForSize(2);
    await approve();
    const first = await sizeOf("1 kg");
    await decide("submit", first);
    await join();
    expect(await buy()).toMatchObject({ state: "asking", asked: 2 });
    expect((await decide("submit", first)).status).toBe(409);
    await decide("submit", await sizeOf("2 kg"));
    await join();
    expect(await buy()).toMatchObject({ state: "succeeded", result: "tea of 2 kg" });
  });

  it("a tool that has asked receives that the person refuses", async () => {
    askForSize();
    await approve();
    await decide("no");
    await join();
    expect(await buy()).toMatchObject({ state: "succeeded", result: "tea of no size" });
  });

  it("a call that asks refuses answers that do not fit the question, and approvals", async () => {
    askForSize();
    await approve();
    const { id } = await sizeOf("1 kg");
    for (const [answer, answers] of [
      ["submit", undefined],
      ["once", undefined],
      ["always", undefined],
      ["submit", { id, forms: [] }],
      ["submit", { id, forms: [{ key: "colour", values: { size: "1 kg" } }] }],
      ["submit", { id, forms: [{ key: "size", values: {} }] }],
      ["submit", { id, forms: [{ key: "size", values: { size: 1 } }] }],
      ["submit", { id, forms: [{ key: "size", values: { size: "1 kg", colour: "red" } }] }],
    ] as const) {
      expect((await decide(answer, answers as FormAnswers | undefined)).status).toBe(400);
    }
    expect((await decide("submit", { id: "another", forms: [{ key: "size", values: {} }] })).status).toBe(409);
    expect(await buy()).toMatchObject({ state: "asking" });
  });

  it("two tabs that answer at once are one answer", async () => {
    askForSize();
    await approve();
    const answers = await sizeOf("1 kg");
    const statuses = (await Promise.all([decide("submit", answers), decide("submit", answers)])).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted()).toEqual([200, 409]);
    await join();
    expect(resumed).toHaveLength(2);
  });

  it("a call that asks ends unanswered with another message, and leaves nothing of its state", async () => {
    askForSize();
    await approve();
    await readReply(await chat.stream({ message: "Never mind." }));
    const { messages } = await chat.open();
    expect(messages.at(-3)?.parts).toMatchObject([{ state: "failed", reason: "ended" }]);
    expect(await stored()).toEqual([]);
    expect(resumed).toHaveLength(1);
  });

  it("a call fails once its tool has asked ten times", async () => {
    askForSize(20);
    await approve();
    for (let round = 0; round < 10; round++) {
      await decide("submit", await sizeOf("1 kg"));
      await join();
    }
    expect(await buy()).toMatchObject({ state: "failed", reason: "questions", asked: 10 });
  });
});

describe("a tool that asks while it runs", () => {
  const answersOf: (FormAnswers | null | undefined)[] = [];
  beforeEach(() => {
    answersOf.length = 0;
    shop.act = async (_given, { watch }) => {
      answersOf.push(await watch?.ask([SIZE]));
      return { text: "Bought." };
    };
  });

  async function askedCall(): Promise<void> {
    await readReply(await chat.stream());
    await decide("once");
    await waitFor("a question", async () => (await buy())?.question);
  }

  it("a running tool receives the answers, and its call stays the same one", async () => {
    await askedCall();
    expect(await buy()).toMatchObject({ state: "sent", asked: 1 });
    const answers = await sizeOf("1 kg");
    expect((await decide("submit", answers)).status).toBe(200);
    expect((await decide("submit", answers)).status).toBe(409);
    await join();
    expect(answersOf).toEqual([answers]);
    expect(await buy()).toMatchObject({ state: "succeeded", result: "Bought." });
    expect(shop.bought).toHaveLength(1);
  });

  it("two tabs that answer a running tool at once are one answer", async () => {
    await askedCall();
    const answers = [await sizeOf("1 kg"), await sizeOf("2 kg")];
    const statuses = await Promise.all(answers.map(async (each) => (await decide("submit", each)).status));
    expect(statuses.toSorted()).toEqual([200, 409]);
    await join();
    expect(answersOf).toEqual([answers[statuses.indexOf(200)]]);
  });

  it("a running tool receives a refusal", async () => {
    await askedCall();
    await decide("no");
    await join();
    expect(answersOf).toEqual([null]);
  });

  it("a call that asks while it runs is unknown after a stop, and does not ask any more", async () => {
    await askedCall();
    await chat.call("POST", "/stop");
    await waitFor("the end", async () => (await chat.last()).state === "stopped");
    expect(await buy()).toMatchObject({ state: "unknown" });
    expect((await buy())?.question).toBeUndefined();
    expect(await stored()).toEqual([]);
  });
});

it("progress of a running call is shown, and is gone with the result", async () => {
  const { promise: seen, resolve } = Promise.withResolvers<void>();
  shop.act = async (_given, { watch }) => {
    watch?.onProgress({ done: 3, total: 4, message: "Packing" });
    await seen;
    return { text: "Bought.", structured: '[{"item":"tea"}]' };
  };
  await readReply(await chat.stream());
  await decide("once");
  const ended = join();
  await waitFor("progress", async () => (await buy())?.progress);
  expect((await buy())?.progress).toEqual({ done: 3, total: 4, message: "Packing" });
  resolve();
  await ended;
  expect(await buy()).toMatchObject({ state: "succeeded", structured: '[{"item":"tea"}]' });
  expect((await buy())?.progress).toBeUndefined();
});

it("a call that may have acted when its connection broke off is unknown, and a person is asked", async () => {
  shop.act = async () => {
    throw new Error("The connection broke off");
  };
  await approve();
  expect(await chat.last()).toMatchObject({ state: "waiting" });
  expect(await buy()).toMatchObject({ state: "unknown", attempt: 1 });
  expect((await buy())?.result).toBeUndefined();
  shop.act = async () => ({ text: "Bought." });
  expect((await decide("once")).status).toBe(200);
  await join();
  expect(await buy()).toMatchObject({ state: "succeeded", result: "Bought." });
  expect(shop.bought).toHaveLength(2);
});

it("pictures of a result become files of the answer, and one that cannot be stored leaves a notice", async () => {
  const bytes = canvasPng;
  shop.act = async () => ({ text: "[picture 1]", pictures: [{ bytes }, { bytes: Buffer.from("no picture") }] });
  await approve();
  const files = await chat.partsOf("file");
  expect(files).toMatchObject([{ tool: 0, type: "image/png" }]);
  expect(await chat.partsOf("notice")).toMatchObject([{ code: "picture", params: { reason: "unreadable" } }]);
  expect(JSON.stringify(chat.provider.chats.at(-1)?.body)).not.toContain("read_file");
});

it.each([
  ["works", false],
  ["asks the person", true],
])("a task that %s is asked for its result after a restart, and its call is not sent again", async (_, asks) => {
  await using provider = await startScriptedProvider();
  await using harness = await createTestHarness();
  const env = { OPENAI_API_KEY: "key", OPENAI_BASE_URL: provider.baseUrl, SHUTDOWN_GRACE_MS: "0" };
  const options = { harness, env, toolGroups: [shop] };
  shop.act = async (_given, { resumption, watch, signal }) => {
    resumed.push(resumption);
    if (resumption) return { text: `Result of ${resumption.state}.` };
    await watch?.storeTask("task 7");
    if (asks) await watch?.ask([SIZE]);
    return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  };
  scriptCalls(provider, [[call("buy", "tea")]], "Bought.");
  const first = new ScriptedChat(provider, await startTestApp(options));
  await first.renew();
  await first.call("PATCH", "", { tools: ["shop"] });
  await readReply(await first.stream());
  const { id: reply, parts = [] } = await first.last();
  const { seq, digest } = parts[0] as ToolPart;
  await first.call("POST", "/decision", { reply, decisions: [{ seq, digest, answer: "once" }] });
  await waitFor("a task", async () => {
    const [part] = await first.partsOf("tool");
    return part?.hasTask && (part.question !== undefined) === asks;
  });
  const { token } = first.ada;
  await first.app[Symbol.asyncDispose]();
  await using app = await startTestApp(options);
  const { text } = await readReply(await app.call("GET", `/chat/${first.chatId}/reply?reply=${reply}`, { token }));
  expect(text).toBe("Bought.");
  expect(resumed).toEqual([undefined, { state: "task 7" }]);
  const rows = await app.context.database.selectFrom("tool_resumptions").selectAll().execute();
  expect(rows).toEqual([]);
});
