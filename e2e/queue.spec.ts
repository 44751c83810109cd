import type { Page } from "@playwright/test";
import { ChatScreen, expect, SEND, test } from "./chat-screen.ts";
import { expectNoOverhang, expectTouchable } from "./looks.ts";
import { beginAnswer, contents, HELD, NEXT, queue, queueOf, submitOf } from "./queued-messages.ts";

async function chooseModel(page: Page, name: string): Promise<void> {
  await page
    .getByRole("main")
    .getByRole("button", { name: /^Model: / })
    .click();
  await page.getByRole("menuitemradio").filter({ hasText: name }).click();
}

test("messages submitted while an answer is written are sent one after the other @phone @every-screen", async ({
  chat,
  page,
  provider,
  isMobile,
}) => {
  const id = await beginAnswer(chat, provider);
  await queue(chat, "[scenario:held] The second");
  await queue(chat, "The third");
  await expect(queueOf(page)).toHaveText([
    /The second.*Will be sent after this answer/,
    /The third.*after the message/,
  ]);
  await expect(page.getByRole("status").filter({ hasText: "Message queued" })).toHaveCount(1);
  await expectNoOverhang(page);
  if (isMobile) await expectTouchable(page.getByRole("list", { name: "Queued messages" }));
  expect(provider.chats).toHaveLength(1);
  provider.finish();
  await expect(chat.question("The second")).toBeVisible();
  await expect(queueOf(page)).toHaveText([/The third.*Will be sent after this answer/]);
  provider.release("The second answer");
  provider.finish();
  await expect(chat.question("The third")).toBeVisible();
  await expect(queueOf(page)).toHaveCount(0);
  await expect(chat.answer("This is a scripted reply")).toBeVisible();
  await expect(chat.sendButton).toBeVisible();
  expect(await contents(chat, id)).toEqual([
    "The beginning",
    "The first answer",
    "[scenario:held] The question",
    "Being written",
    "[scenario:held] The second",
    "The second answer",
    "The third",
    provider.reply,
  ]);
  expect(provider.chats).toHaveLength(3);
});

test("the button queues a message while Stop stays beside it @every-screen", async ({ chat, page, provider }) => {
  await beginAnswer(chat, provider);
  await expect(submitOf(page)).toBeHidden();
  await chat.box.fill("By the button");
  await expect(submitOf(page)).toBeVisible();
  await expect(chat.stopButton).toBeVisible();
  // The second click of a double click does not stop the answer.
  await submitOf(page).dblclick();
  await expect(queueOf(page)).toHaveText([/By the button/]);
  await expect(submitOf(page)).toBeHidden();
  await expect(chat.stopButton).toBeVisible();
  provider.finish();
  await expect(chat.question("By the button")).toBeVisible();
  await expect(chat.answer("This is a scripted reply")).toBeVisible();
});

test("Cancel moves a queued message back to the box @every-screen @proof", async ({
  chat,
  page,
  provider,
  isMobile,
}) => {
  const id = await beginAnswer(chat, provider);
  await queue(chat, "Better not");
  await chat.box.fill("Another thought");
  await queueOf(page).getByRole("button", { name: "Cancel" }).click();
  await expect(queueOf(page)).toHaveCount(0);
  await expect(chat.box).toHaveValue("Better not\n\nAnother thought");
  if (!isMobile) await expect(chat.box).toBeFocused();
  provider.finish();
  await expect(chat.sendButton).toBeEnabled();
  await page.reload();
  await expect(chat.box).toHaveValue("Better not\n\nAnother thought");
  expect(await contents(chat, id)).toHaveLength(4);
});

test("after Stop a message stays in the queue, also after a reload, until Send now @every-screen @proof", async ({
  chat,
  page,
  provider,
}) => {
  const id = await beginAnswer(chat, provider);
  await queue(chat, "The second");
  await queue(chat, "The third");
  await chat.stopButton.click();
  await expect(chat.answer("You stopped this answer.")).toBeVisible();
  await expect(queueOf(page)).toHaveText([new RegExp(HELD), new RegExp(HELD)]);
  await page.reload();
  await expect(queueOf(page)).toHaveText([new RegExp(HELD), new RegExp(HELD)]);
  expect(await contents(chat, id)).toHaveLength(4);
  // The message behind it follows its answer.
  await queueOf(page).first().getByRole("button", { name: "Send now" }).click();
  await expect(chat.messages).toHaveCount(8);
  await expect(queueOf(page)).toHaveCount(0);
  const questions = async () => (await contents(chat, id)).filter((_, place) => place % 2 === 0).slice(2);
  // The page shows a question before the server has it.
  await expect.poll(questions).toEqual(["The second", "The third"]);
});

test("after a failure a message stays in the queue, also after Retry, and keeps its model @proof", async ({
  chat,
  page,
  provider,
}) => {
  await chat.open();
  await chooseModel(page, "gpt-5-mini");
  await beginAnswer(chat, provider);
  await queue(chat, "The second");
  provider.failMidStream();
  await expect(chat.answer("This answer was cut off.")).toBeVisible();
  await expect(queueOf(page)).toHaveText([new RegExp(HELD)]);
  await chooseModel(page, "gpt-5-nano");
  await chat.messages.last().getByRole("button", { name: "Retry", exact: true }).click();
  provider.release("Again");
  await expect(chat.answer("Again")).toBeVisible();
  await expect(queueOf(page)).toHaveText([new RegExp(HELD)]);
  await expect(queueOf(page).getByRole("button", { name: "Send now" })).toBeHidden();
  provider.finish();
  const sent = page.waitForRequest(SEND);
  await queueOf(page).getByRole("button", { name: "Send now" }).click();
  expect((await sent).postDataJSON()).toMatchObject({ message: "The second", model: "GPT:gpt-5-mini" });
  await expect(chat.answer("This is a scripted reply")).toBeVisible();
});

test("a queued message survives a reload, and is sent even if another chat is open then", async ({
  chat,
  page,
  provider,
}) => {
  const other = await chat.prepare("Another chat", "Its answer");
  const id = await beginAnswer(chat, provider);
  await queue(chat, "The second");
  await page.reload();
  await expect(queueOf(page)).toHaveText([new RegExp(NEXT)]);
  await page.goto(`/chat?c=${other}`);
  await expect(chat.answer("Its answer")).toBeVisible();
  await expect(queueOf(page)).toHaveCount(0);
  provider.finish();
  await expect.poll(() => contents(chat, id)).toHaveLength(6);
  await expect(page).toHaveURL(`/chat?c=${other}`);
  await chat.choose("The beginning");
  await expect(chat.question("The second")).toBeVisible();
  await expect(queueOf(page)).toHaveCount(0);
});

test("an answer that ends while no tab is open is followed by its message once one is @proof", async ({
  chat,
  page,
  provider,
  context,
  parley,
}) => {
  const id = await beginAnswer(chat, provider);
  await queue(chat, "The second");
  await page.close();
  provider.finish();
  await expect.poll(async () => (await chat.read(id)).messages.at(-1)?.state).toBe("complete");
  const later = new ChatScreen(await context.newPage(), parley.app, chat.account);
  await later.open(id);
  await expect(later.question("The second")).toBeVisible();
  await expect(later.messages).toHaveCount(6);
});

test("only one of two tabs sends a queued message", async ({ chat, page, context, parley, provider }) => {
  const id = await beginAnswer(chat, provider);
  const other = new ChatScreen(await context.newPage(), parley.app, chat.account);
  await other.open(id);
  await expect(other.answer("Being written")).toBeVisible();
  await queue(chat, "The second");
  await expect(queueOf(other.page)).toHaveText([new RegExp(NEXT)]);
  await queue(other, "The third");
  await expect(queueOf(page)).toHaveCount(2);
  provider.finish();
  for (const { messages } of [chat, other]) await expect(messages).toHaveCount(8);
  for (const each of [page, other.page]) await expect(queueOf(each)).toHaveCount(0);
  expect((await contents(chat, id)).filter((_, place) => place % 2 === 0).slice(2)).toEqual([
    "The second",
    "The third",
  ]);
  await expect.poll(() => provider.chats.length).toBe(3);
});

test("a Stop in one tab holds the message of another @proof", async ({ chat, page, context, parley, provider }) => {
  const id = await beginAnswer(chat, provider);
  const other = new ChatScreen(await context.newPage(), parley.app, chat.account);
  await other.open(id);
  await expect(other.answer("Being written")).toBeVisible();
  await queue(chat, "The second");
  await expect(queueOf(other.page)).toHaveCount(1);
  await other.stopButton.click();
  for (const each of [page, other.page]) await expect(queueOf(each)).toHaveText([new RegExp(HELD)]);
  expect(await contents(chat, id)).toHaveLength(4);
});

test("a temporary chat has a queue, in memory only @proof", async ({ chat, page, provider }) => {
  await chat.open();
  await page.getByRole("button", { name: "Temporary chat", exact: true }).click();
  await chat.send("[scenario:held] The question");
  provider.release("Being written");
  await expect(chat.answer("Being written")).toBeVisible();
  await queue(chat, "About a quokka");
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain("quokka");
  provider.finish();
  await expect(chat.question("About a quokka")).toBeVisible();
  await expect(chat.answer("This is a scripted reply")).toBeVisible();
  await expect(queueOf(page)).toHaveCount(0);
});
