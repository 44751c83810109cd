import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { costlyCalls } from "../../testing/chats/costly-calls.ts";
import { costlyTexts } from "../../testing/chats/costly-texts.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";

const SENT = 2000;
const IMPORTED = 20_000;
const MARKS = /[\p{M}\uFF9E\uFF9F]+/gu;

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat({ DAILY_REPLIES_PER_USER: "1000" });
  await chat.renew();
});
afterAll(() => chat[Symbol.asyncDispose]());

/** Passwords and usernames are at most this long, and keep all combining marks. */
const MAX_IDENTITY = 256;

/**
 * Counts the UTF-16 units that this process normalises, and the longest run of combining marks in texts longer than
 * {@link MAX_IDENTITY}.
 */
function watchNormalisation() {
  const normalize = String.prototype.normalize;
  const seen = { units: 0, marks: 0 };
  const watch = vi.spyOn(String.prototype, "normalize").mockImplementation(function (this: string, form?: string) {
    const text = String(this);
    seen.units += text.length;
    if (text.length > MAX_IDENTITY)
      for (const [run] of text.matchAll(MARKS)) seen.marks = Math.max(seen.marks, [...run].length);
    return normalize.call(text, form);
  });
  return { seen, [Symbol.dispose]: () => watch.mockRestore() };
}

const shortTexts = costlyTexts(SENT);
const longTexts = costlyTexts(IMPORTED);
const names = [
  ...["marks on one letter", "marks on tatweel", "jamo on one syllable", "one Cyrillic word", "different ideographs"],
  ...["quotes before a letter", "brackets", "zero-width characters", "ligatures that decompose"],
];

// `npm run bench -- --only holds` measures how long each call blocks the event loop, with all texts, of 200,000 and
// 1,000,000 units.
it.each(names)("K1 every route accepts a text that is costly to process: %s", async (name) => {
  const texts = { sent: shortTexts[name] ?? "", imported: longTexts[name] ?? "" };
  using normalisation = watchNormalisation();
  const person = {
    provider: chat.provider,
    call: (method: string, path: string, body?: unknown) =>
      chat.app.call(method, path, { token: chat.ada.token, body }),
  };
  const statuses: [string, number][] = [];
  for await (const call of costlyCalls(person, texts)) statuses.push(call);
  const refusals: Record<string, number> = { "a sign-in": 401, "a name of a megabyte": 400 };
  expect(statuses.filter(([call, status]) => status >= 300 && refusals[call] !== status)).toEqual([]);
  expect(statuses.length).toBeGreaterThan(30);
  const { units, marks } = normalisation.seen;
  // A character may decompose into 18 letters. It is normalised three times when it is indexed and, in some messages,
  // again at each search.
  expect(units).toBeLessThan(200 * (SENT + IMPORTED));
  expect(marks).toBeLessThanOrEqual(16);
});
