import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { replyFailureSchema } from "#contract/conversation/reply-events.ts";
import { SECOND } from "#contract/limits.ts";
import { WAIT_MAX } from "#contract/times.ts";
import { TestClock } from "../../../testing/app/start-test-app.ts";
import { type ScriptedChat, startScriptedChat } from "../../../testing/chats/scripted-chat.ts";
import { readReply } from "../../../testing/http/read-events.ts";
import { fieldRefusal } from "../../../testing/provider/openai/openai-errors.ts";

const model = "GPT:gpt-5-mini";
/** Starts a chat in which no time passes. */
const startStill = () => startScriptedChat({ RATE_LIMITS: "off" }, { clock: new TestClock() });

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startStill();
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  chat.provider.reset();
  await chat.renew();
});

const limited = (seconds: number | string) => `[scenario:rate-limited:${seconds}]`;

/** Returns the failure of a reply, as the contract has it. */
async function failureOf(response: Response) {
  const { failure, isDone } = await readReply(response);
  expect(isDone).toBe(true);
  return replyFailureSchema.parse(failure);
}

describe("waits of providers", () => {
  it("the failure of a reply has the wait that its provider has asked for", async () => {
    const { code, retryAfterMs } = await failureOf(await chat.stream({ message: limited(40), model }));
    expect([code, retryAfterMs]).toEqual(["assistant-busy", 40 * SECOND]);
    expect(chat.provider.chats).toHaveLength(1);
  });

  it("the failure of a reply has the wait of the last attempt, if the server has waited for the first one and tried again", async () => {
    const { retryAfterMs } = await failureOf(await chat.stream({ message: limited("0.02"), model }));
    expect(retryAfterMs).toBe(SECOND);
    expect(chat.provider.chats).toHaveLength(2);
  });

  it.each([
    ["1e9", undefined],
    ["31536000000", WAIT_MAX],
    [`${"9".repeat(400)}`, undefined],
  ])("the failure of a reply has no wait that a client could not count down: %#", async (seconds, expected) => {
    const { retryAfterMs } = await failureOf(await chat.stream({ message: limited(seconds), model }));
    expect(retryAfterMs).toBe(expected);
  });

  it("the failure of a reply has no wait if the provider has asked for none, or if a retry would not help", async () => {
    expect(await failureOf(await chat.stream({ message: "[scenario:overloaded]", model }))).not.toHaveProperty(
      "retryAfterMs",
    );
    expect(await failureOf(await chat.stream({ message: "[scenario:wrong-key]", model }))).not.toHaveProperty(
      "retryAfterMs",
    );
  });

  it("the failure of a reply has the wait of a model that automatic choice has asked, although the last one has asked for none", async () => {
    // Of its own, because automatic choice skips the providers that have failed.
    await using automatic = await startStill();
    await automatic.renew();
    automatic.provider.next("rate-limited", "overloaded");
    const { code, retryAfterMs } = await failureOf(await automatic.stream());
    expect([code, automatic.provider.chats.length]).toEqual(["assistant-busy", 2]);
    expect(retryAfterMs).toBe(7 * SECOND);
  });

  it("the failure of a reply has no wait if automatic choice has ended with a model that refuses the question", async () => {
    await using automatic = await startStill();
    await automatic.renew();
    const { provider } = automatic;
    provider.next("rate-limited");
    provider.refuse = () =>
      provider.chats.length > 1 ? fieldRefusal("content_policy_violation", null, "Refused.") : undefined;
    const failure = await failureOf(await automatic.stream());
    expect([failure.code, provider.chats.length]).toEqual(["assistant-refused", 2]);
    expect(failure).not.toHaveProperty("retryAfterMs");
  });

  it("the failure of a reply has the wait in temporary chats too", async () => {
    const body = { messages: [{ role: "user", content: limited(40) }], model };
    const { token } = chat.ada;
    const { retryAfterMs } = await failureOf(
      await chat.app.call("POST", conversationPaths.temporaryReply, { token, body }),
    );
    expect(retryAfterMs).toBe(40 * SECOND);
  });

  it("the failure of a reply has no wait for a reader that joins after the end, because it is not stored", async () => {
    await readReply(await chat.stream({ message: "Begin.", model }));
    const { reply } = await readReply(await chat.stream({ message: limited(40), model }));
    const joined = await failureOf(await chat.call("GET", `/reply?reply=${reply}`));
    expect(joined).toEqual({ code: "assistant-busy", error: expect.any(String) });
  });
});
