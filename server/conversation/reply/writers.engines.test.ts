import { beforeEach, describe, expect, it, vi } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { type ScriptedChat, startScriptedChat } from "../../../testing/chats/scripted-chat.ts";
import { startTwoProcesses } from "../../../testing/chats/two-processes.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";
import { readEvents, type StreamEvent } from "../../../testing/http/read-events.ts";
import { continuing } from "../../../testing/provider/continuing.ts";

const GPT = "GPT:gpt-5-mini";
const CLAUDE = expect.stringMatching(/^CLAUDE:/);

/** Reads a stream to its end. @returns its writers, and its tokens joined between them */
async function writersOf(events: AsyncIterable<StreamEvent | "[DONE]">): Promise<(StreamEvent | string)[]> {
  const shown: (StreamEvent | string)[] = [];
  for await (const event of events) {
    if (event === "[DONE]") continue;
    const last = shown.at(-1);
    if (event.writer !== undefined) shown.push(event);
    else if (event.token !== undefined && typeof last === "string") shown.push(`${shown.pop()}${event.token}`);
    else if (event.token !== undefined) shown.push(event.token);
  }
  return shown;
}

/** Reads a stream until its first word. */
async function untilFirstWord(events: AsyncGenerator<StreamEvent | "[DONE]">) {
  for (;;) {
    const { value } = await events.next();
    if (value === undefined || value === "[DONE]") throw new Error("The stream has ended without a word");
    if (value.token !== undefined) return;
  }
}

describe("writers", () => {
  let chat: ScriptedChat;
  // Of its own in each test, because automatic choice skips the providers that have failed.
  beforeEach(async () => {
    chat = await startScriptedChat();
    await chat.renew();
    return () => chat[Symbol.asyncDispose]();
  });

  it("the model that writes a reply is sent before its first output, although the first candidate has failed", async () => {
    chat.provider.next("error-before-first-word");
    chat.provider.reply = "An inlet.";
    expect(await writersOf(readEvents(await chat.stream()))).toEqual([{ writer: CLAUDE }, "An inlet."]);
  });

  it("the model that writes a reply is sent again when another model goes on, and the chat says so while it is written", async () => {
    chat.provider.reply = continuing("One two three four five six.");
    chat.provider.next("broken-off", "held");
    const stream = await chat.stream();
    const reading = writersOf(readEvents(stream));
    await chat.provider.chat(2);
    expect(await chat.last()).toMatchObject({ state: "writing", model: GPT });
    chat.provider.release(" four five six.");
    await vi.waitUntil(async () => (await chat.last()).content.endsWith("six."));
    expect(await chat.last()).toMatchObject({ state: "writing", model: CLAUDE });
    const joined = writersOf(readEvents(await chat.call("GET", "/reply")));
    chat.provider.finish();
    expect(await reading).toEqual([{ writer: GPT }, "One two three", { writer: CLAUDE }, " four five six."]);
    expect(await joined).toEqual([{ writer: CLAUDE }, "One two three four five six."]);
    expect(await chat.last()).toMatchObject({ state: "complete", model: CLAUDE });
  });

  it("the model that writes a reply is sent to the reader of a temporary chat", async () => {
    chat.provider.reply = "An inlet.";
    const body = { messages: [{ role: "user", content: "What is a fjord?" }] };
    const response = await chat.app.call("POST", conversationPaths.temporaryReply, { token: chat.ada.token, body });
    expect(await writersOf(readEvents(response))).toEqual([{ writer: GPT }, "An inlet."]);
  });

  it("the model that writes a reply is not sent for a reply that has ended, whose message has it", async () => {
    await writersOf(readEvents(await chat.stream()));
    const { id, model } = await chat.last();
    expect(model).toBe(GPT);
    expect(await writersOf(readEvents(await chat.call("GET", `/reply?reply=${id}&from=0`)))).toEqual([
      chat.provider.reply,
    ]);
  });
});

it.runIf(isOnPostgres)(
  "a reader in another process receives the model that writes, and the one that goes on",
  async () => {
    await using processes = await startTwoProcesses((baseUrl) => ({
      ANTHROPIC_API_KEY: "key",
      ANTHROPIC_BASE_URL: baseUrl,
    }));
    const { provider, one, other } = processes;
    const { token, id } = await processes.renew();
    provider.reply = continuing("One two three four five six.");
    provider.next("held", "held");
    const body = { message: "Count, please." };
    const writing = readEvents(await one.call("POST", `/chat/${id}/send?stream=1`, { token, body }));
    provider.release("One two three");
    await untilFirstWord(writing);
    await vi.waitUntil(async () => (await processes.last(other)).content !== "");
    expect(await processes.last(other)).toMatchObject({ state: "writing", model: GPT });
    const followed = writersOf(readEvents(await other.call("GET", `/chat/${id}/reply`, { token })));
    provider.breakOff();
    await provider.untilHeld(1);
    provider.release(" four five six.");
    await vi.waitUntil(async () => (await processes.last(other)).content.endsWith("six."));
    expect(await processes.last(other)).toMatchObject({ state: "writing", model: CLAUDE });
    provider.finish();
    expect(await followed).toEqual([{ writer: GPT }, "One two three", { writer: CLAUDE }, " four five six."]);
  },
);
