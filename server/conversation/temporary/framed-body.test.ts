import { once } from "node:events";
import { request as openRequest } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { TemporaryRequest } from "#contract/conversation/temporary.ts";
import { API_BASE } from "#contract/http.ts";
import { MEGABYTE, TEMPORARY_FILES_MAX_BYTES } from "#contract/limits.ts";
import { signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { type ScriptedChat, startScriptedChat } from "../../../testing/chats/scripted-chat.ts";
import {
  type AskedMessage,
  askTemporary,
  framedBody,
  temporaryRequest,
} from "../../../testing/chats/temporary-request.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { readEvents, readReply } from "../../../testing/http/read-events.ts";

const MODEL = "GPT:gpt-5-mini";
const HELD = "[scenario:held]";

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat({ RATE_LIMITS: "off" });
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  chat.provider.reset();
  await chat.renew();
});

const ask = (
  messages: AskedMessage[],
  more: Partial<TemporaryRequest> = {},
  call: { account?: TestAccount; signal?: AbortSignal } = {},
) => askTemporary(messages, { model: MODEL, ...more }, { app: chat.app, account: chat.ada, ...call });

const refusal = async (response: Response) => {
  const { code } = await problemOf(response);
  return [response.status, code];
};
const countOf = ({ user }: TestAccount = chat.ada) => chat.app.context.temporaryReplies.countOf(user.id);

describe("invalid bodies with files", () => {
  const post = (body: Uint8Array, token = chat.ada.token) =>
    chat.app.call("POST", conversationPaths.temporaryReply, { token, body });
  const file = { id: crypto.randomUUID(), name: "a.txt", size: 1 };
  const question = { role: "user", content: "Hello", files: [file] };

  it.each<[string, unknown, string]>([
    ["an answer with files", { messages: [{ ...question }, { ...question, role: "assistant" }, question] }, "abc"],
    ["one id twice", { messages: [{ ...question, files: [file, file] }] }, "ab"],
    ["an id that is no UUID", { messages: [{ ...question, files: [{ ...file, id: "../a" }] }] }, "a"],
    ["a negative size", { messages: [{ ...question, files: [{ ...file, size: -1 }] }] }, ""],
    ["fewer bytes than it says", { messages: [question] }, ""],
    ["more bytes than it says", { messages: [question] }, "ab"],
    ["neither text nor files", { messages: [{ role: "user", content: " ", files: [] }] }, ""],
    ["a prototype", JSON.parse('{"__proto__":{"x":1},"messages":[]}'), ""],
  ])("refuses a body with files if it has %s", async (_, request, bytes) => {
    const response = await post(framedBody({ request, bytes: Buffer.from(bytes) }));
    expect(await refusal(response)).toEqual([400, "invalid-input"]);
    expect(chat.provider.requests).toEqual([]);
    expect((await readReply(await ask([{ files: [{}] }]))).isDone).toBe(true);
  });

  it.each<[string, Uint8Array, unknown[]]>([
    ["is empty", Buffer.alloc(0), [400, "invalid-input"]],
    ["ends within its length", Buffer.from([0, 0]), [400, "invalid-input"]],
    ["ends within its JSON", Buffer.from([0, 0, 0, 9, 123]), [400, "invalid-input"]],
    ["has no JSON", Buffer.from([0, 0, 0, 1, 123]), [400, "invalid-input"]],
    ["has more than 1 MB of JSON", Buffer.from([0, 0x10, 0, 1, 123]), [413, "too-large"]],
  ])("refuses a body with files if it %s", async (_, body, expected) => {
    expect(await refusal(await post(body))).toEqual(expected);
  });

  it("refuses a body with files without a session, and JSON that names files", async () => {
    const body = framedBody(temporaryRequest([{ files: [{}] }]));
    expect((await chat.app.call("POST", conversationPaths.temporaryReply, { body })).status).toBe(401);
    const { request } = temporaryRequest([{ files: [{}] }]);
    const response = await chat.app.call("POST", conversationPaths.temporaryReply, {
      token: chat.ada.token,
      body: request,
    });
    expect(await refusal(response)).toEqual([400, "invalid-input"]);
  });

  it("accepts a framed body without files", async () => {
    expect((await readReply(await ask(["Hello"]))).isDone).toBe(true);
  });
});

describe("the memory of temporary questions with files", () => {
  /** Starts a reply that runs until its reader disconnects. */
  async function begin(account: TestAccount = chat.ada) {
    const leaving = new AbortController();
    const response = await ask([{ text: HELD, files: [{}] }], {}, { account, signal: leaving.signal });
    return { status: response.status, leave: () => leaving.abort() };
  }

  it("an account has one temporary question with files at a time, until its reply ends or its reader disconnects", async () => {
    const first = await begin();
    const second = await ask([{ files: [{}] }]);
    expect(second.headers.get("retry-after")).toBe("5");
    expect(await refusal(second)).toEqual([429, "too-many-replies"]);
    // A question without files takes no slot.
    const text = { messages: [{ role: "user", content: "Hello" }], model: MODEL };
    const options = { token: chat.ada.token, body: text };
    expect((await readReply(await chat.app.call("POST", conversationPaths.temporaryReply, options))).isDone).toBe(true);
    first.leave();
    await vi.waitUntil(() => countOf() === 0);
    const third = await begin();
    expect(third.status).toBe(200);
    chat.provider.release("Words");
    chat.provider.finish();
    await vi.waitUntil(() => countOf() === 0);
    const fourth = await begin();
    expect(fourth.status).toBe(200);
    fourth.leave();
  });

  it("the accounts of a network have eight temporary questions with files at a time, and a ninth waits", async () => {
    await vi.waitUntil(() => countOf() === 0);
    const accounts = await Promise.all(Array.from({ length: 8 }, () => signUp(chat.app)));
    const begun = [];
    for (const account of accounts) begun.push(await begin(account));
    expect(begun.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const ninth = begin();
    expect(await refusal(await ask([{ files: [{}] }]))).toEqual([429, "too-many-replies"]);
    expect(countOf()).toBe(0);
    begun[3]?.leave();
    const { status, leave } = await ninth;
    expect(status).toBe(200);
    for (const { leave: leaveToo } of [...begun, { leave }]) leaveToo();
    for (const account of [...accounts, chat.ada]) await vi.waitUntil(() => countOf(account) === 0);
  });

  /** Begins to send 20 MB. @returns ends the connection, and tells whether the server has refused */
  function sendHalf() {
    const leaving = new AbortController();
    const { request } = temporaryRequest([{ files: [{ size: TEMPORARY_FILES_MAX_BYTES, bytes: "" }] }]);
    const head = framedBody({ request, bytes: Buffer.alloc(100_000) });
    const state = { isRefused: false, leave: () => leaving.abort() };
    const headers = { authorization: `Bearer ${chat.ada.token}`, "content-type": "application/octet-stream" };
    const body = new ReadableStream({ start: (controller) => controller.enqueue(head) });
    const init = { method: "POST", headers, body, duplex: "half", signal: leaving.signal } as RequestInit;
    const answer = (isRefused: boolean) => () => Object.assign(state, { isRefused });
    void fetch(`${chat.app.url}${API_BASE}${conversationPaths.temporaryReply}`, init).then(answer(true), answer(false));
    return state;
  }

  it("a client that disconnects while it sends frees the memory of its question", async () => {
    let half = sendHalf();
    const isAccepted = async () => {
      const response = await ask([{ files: [{}] }]);
      if (response.status === 200) await readReply(response);
      return response.status === 200;
    };
    // It has the slot of the account, unless it came while the other request had it.
    await vi.waitUntil(async () => {
      if (half.isRefused) half = sendHalf();
      return !(await isAccepted());
    });
    half.leave();
    await vi.waitUntil(isAccepted);
  });

  it("a refused body of 15 MB is read to its end, as clients may read no answer before they have sent all", async () => {
    const messages = [{ files: [{ name: "a.txt", bytes: Buffer.alloc(15 * MEGABYTE, "a") }] }];
    const bytes = framedBody(temporaryRequest(messages, { model: "GPT:none" }));
    const sending = openRequest(`${chat.app.url}${API_BASE}${conversationPaths.temporaryReply}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${chat.ada.token}`,
        "content-type": "application/octet-stream",
        "content-length": bytes.length,
      },
    });
    const answered = once(sending, "response");
    const sent = once(sending, "finish");
    // The server waits for the rest of the head before it refuses.
    await new Promise<void>((resolve) => sending.write(bytes.subarray(0, 10), () => resolve()));
    sending.end(bytes.subarray(10));
    const [response] = await answered;
    expect(response.statusCode).toBe(400);
    await sent;
  });

  it("a temporary question has at most 20 MB of readable text, of the newest files", async () => {
    // 2 MB in UTF-16, and 3 MB in UTF-8.
    const bytes = Buffer.from(`\uFEFF${"字".repeat(999_000)}`, "utf16le");
    const files = Array.from({ length: 8 }, (_, at) => ({ name: `${at}.txt`, bytes }));
    const received: unknown[] = [];
    for await (const event of readEvents(await ask([{ files }]))) {
      if (event !== "[DONE]" && event.part?.code === "file") received.push(event.part.params);
    }
    const nth = (at: number) => ({ name: `${at}.txt`, received: at < 2 ? "none" : "part" });
    expect(received).toMatchObject(files.map((_, at) => nth(at)));
  });
});
