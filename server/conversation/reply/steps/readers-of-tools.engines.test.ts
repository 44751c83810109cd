import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../../../../testing/app/start-test-app.ts";
import { ReplyView } from "../../../../testing/chats/reply-view.ts";
import { readEvents } from "../../../../testing/http/read-events.ts";
import { textBySpecification } from "../../../../testing/http/text-by-specification.ts";

import { shopCall, stepOf } from "../../../../testing/tools/script-calls.ts";
import { type ShopChat, ShopChats } from "../../../../testing/tools/shop-chats.ts";

/** Text of each step; the last ends the reply. The second has characters of two UTF-16 units. */
const TEXTS = ["Let me see.", "😀 Two things.", "Done 🛒."];
const CONTENT = TEXTS.join("\n\n");

let chats: ShopChats;
let app: TestApp;
let items = 0;
const opened = new AsyncDisposableStack();
beforeAll(async () => {
  chats = opened.use(await ShopChats.open(3));
  app = opened.use(await chats.startApp());
});
afterAll(() => opened.disposeAsync());

/** Sends a question whose answer looks up an item, then buys two things, which asks, then ends. */
async function ask(): Promise<{ chat: ShopChat; item: string; body: Promise<string> }> {
  chats.provider.reset();
  chats.shop.reset();
  const chat = chats.next();
  const item = `tea ${++items}`;
  const steps = [[shopCall("look_up", item)], [shopCall("buy", `${item} a`), shopCall("buy", `${item} b`)]];
  chats.provider.calls = ({ messages }) => steps[stepOf(messages)] ?? [];
  chats.provider.reply = ({ messages }) => TEXTS[stepOf(messages)] ?? "";
  return { chat, item, body: chat.send(app, "Buy tea.").then((answer) => answer.text()) };
}

/**
 * Joins the last reply once at each position of a text, of which each reader has what is before its position. @param run
 * the last run that the readers have seen
 */
async function joinAtEach(chat: ShopChat, text: string, run: number): Promise<Promise<string>[]> {
  const { id } = await chat.last(app);
  const join = (from: number) => chat.call(app, "GET", `/reply?reply=${id}&from=${from}&run=${run}`);
  const answers = await Promise.all(Array.from({ length: text.length + 1 }, (_, from) => join(from)));
  return answers.map(async (answer, from) => text.slice(0, from) + textBySpecification(await answer.text()));
}

const all = (text: string, upTo: string) => Array.from({ length: upTo.length + 1 }, () => text);

/** Reads the last reply with all that our contract has, from a view of it. */
async function readOn(chat: ShopChat, view: ReplyView): Promise<void> {
  for await (const event of readEvents(await chat.call(app, "GET", view.resume)))
    if (event !== "[DONE]") view.take(event);
}

describe("readers of a reply with tools", () => {
  it("a reader written from the specification alone gets the stored text of a reply with tools from each position", async () => {
    const { chat, body } = await ask();
    const untilDecision = textBySpecification(await body);
    expect(untilDecision).toBe(TEXTS.slice(0, 2).join("\n\n"));
    expect(await Promise.all(await joinAtEach(chat, untilDecision, 1))).toEqual(all(untilDecision, untilDecision));
    expect(await chat.decide(app, "once")).toBe(200);
    await chat.until(app, "complete");
    const { content } = await chat.last(app);
    expect(content).toBe(CONTENT);
    expect(await Promise.all(await joinAtEach(chat, content, 2))).toEqual(all(content, content));
  });

  it("readers that join at each position while a call runs get the stored text", async () => {
    const { chat, item, body } = await ask();
    const untilDecision = textBySpecification(await body);
    chats.shop.isHeld = () => true;
    expect(await chat.decide(app, "once")).toBe(200);
    await chats.shop.executed(`${item} b`);
    const readers = await joinAtEach(chat, untilDecision, 2);
    chats.shop.reset();
    const texts = await Promise.all(readers);
    const { content } = await chat.last(app);
    expect(content).toBe(CONTENT);
    expect(texts).toEqual(all(content, untilDecision));
  });

  it("a reader that resumes after the decision has the parts of one that joins at the end", async () => {
    const { chat, body } = await ask();
    await body;
    const [early, late] = [new ReplyView(), new ReplyView()];
    const { id } = await chat.last(app);
    early.reply = id;
    late.reply = id;
    await readOn(chat, early);
    expect(early.parts).toMatchObject([{ state: "succeeded" }, { state: "proposed" }, { state: "proposed" }]);
    expect(await chat.decide(app, "once")).toBe(200);
    await readOn(chat, early);
    await chat.until(app, "complete");
    await readOn(chat, late);
    const { parts } = await chat.last(app);
    expect([early.text, early.parts]).toEqual([CONTENT, parts]);
    expect([late.text, late.parts]).toEqual([CONTENT, parts]);
  });
});
