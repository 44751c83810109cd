import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { MINUTE, SECOND } from "#contract/limits.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { type ScriptedChat, startScriptedChat } from "../../../testing/chats/scripted-chat.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { LimitedProcess } from "../../concurrency/limited-process.ts";
import type { RenderAnswer } from "../html/render-process.ts";

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat();
});
beforeEach(() => chat.renew());
afterEach(() => void vi.restoreAllMocks());
afterAll(() => chat[Symbol.asyncDispose]());

/** Collects the callbacks of timers of 40 to 60 s that begin from now on. */
function holdTimers() {
  const start = globalThis.setTimeout;
  const held: (() => void)[] = [];
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ms = 0, ...more: unknown[]) => {
    if (ms >= 40 * SECOND && ms < MINUTE) held.push(run);
    return Reflect.apply(start, undefined, [run, ms, ...more]);
  }) as typeof start);
  return held;
}

it("refuses a Word document whose rendering and conversions together take too long", async () => {
  chat.provider.reply = "An answer";
  await chat.send({ message: "A question", model: "GPT:gpt-5-mini" });
  const timers = holdTimers();
  const asked: string[] = [];
  vi.spyOn(LimitedProcess.prototype, "ask").mockImplementation(async (_send, _timeoutMs, signal) => {
    asked.push("once");
    if (asked.length <= 2) return { answer: { sections: ["<p>rendered</p>"] } satisfies RenderAnswer };
    if (asked.length === 3) return "timeout";
    const { promise, reject } = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => reject(signal.reason));
    for (const end of timers) end();
    return promise;
  });
  const path = `${transferPaths.chatExport(chat.chatId)}?format=docx`;
  const refused = await chat.app.call("GET", path, { token: chat.ada.token });
  expect([refused.status, (await problemOf(refused)).code]).toEqual([413, "document-too-large"]);
  expect(asked).toHaveLength(4);
});
