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

/** Passwords and usernames are bounded by their length, and lose no mark. */
const MAX_IDENTITY = 256;

/** Counts what normalisation is given in this process: units in all, and the most marks in a row of longer texts. */
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

// The longest time that each call holds the event loop, with all texts, of 200,000 and 1,000,000 units, is what
// `npm run bench -- --only holds` measures.
it.each(names)("K1 every route takes a text that is costly to read: %s", async (name) => {
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
  // A letter that becomes 18 is normalised thrice, when it is indexed and, of some messages, at each search.
  expect(units).toBeLessThan(200 * (SENT + IMPORTED));
  expect(marks).toBeLessThanOrEqual(16);
});
