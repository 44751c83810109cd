import { errorSentences } from "#contract/errors.ts";
import { continuing } from "../testing/provider/continuing.ts";
import { type ChatScreen, expect, test } from "./chat-screen.ts";

const retry = (chat: ChatScreen) => chat.page.getByRole("button", { name: "Retry", exact: true });
const goOn = (chat: ChatScreen) => chat.page.getByRole("button", { name: "Continue", exact: true });
const seam = (chat: ChatScreen) => chat.messages.getByRole("img", { name: "Continued after an interruption" });

/** Selects a model explicitly; no other provider then takes over. */
const chooseModel = (chat: ChatScreen) =>
  chat.page.addInitScript((id) => localStorage.setItem(`model:${id}`, "GPT:gpt-5-mini"), chat.account.user.id);

const TEXT = "One two three four five six seven eight nine ten.";

test("Retry gives a question one answer, also after a reload @every-screen", async ({ chat, page, provider }) => {
  provider.scenario = "error-before-first-word";
  await chat.open();
  await chat.send("Please answer.");
  await expect(chat.banner).toHaveText(errorSentences["assistant-failed"]);
  await expect(chat.messages).toHaveCount(1);
  await expect(chat.question("Please answer.")).toContainText("No answer yet.");

  await page.reload();
  await expect(chat.question("Please answer.")).toContainText("No answer yet.");
  provider.scenario = "held";
  const asked = provider.chats.length;
  await retry(chat).dblclick();
  await expect(page.getByText("Thinking...")).toBeVisible();
  await expect(retry(chat)).toBeHidden();
  await expect(page.getByText("No answer yet.")).toBeHidden();
  await expect(chat.banner).toBeHidden();
  provider.release("Here it is.");
  await expect(chat.answer("Here it is.")).toBeVisible();
  provider.finish();
  await expect(chat.sendButton).toBeVisible();
  await expect(chat.messages).toHaveCount(2);
  expect(provider.chats).toHaveLength(asked + 1);
});

test("a question is answered by another model after the chosen one refused too many requests @proof", async ({
  chat,
  page,
  provider,
}) => {
  await chooseModel(chat);
  provider.scenario = "rate-limited";
  await chat.open();
  await chat.send("Please answer.");
  await expect(chat.question("Please answer.")).toContainText("No answer yet.");
  provider.scenario = "fast";
  await page.getByRole("button", { name: "Retry with another model" }).click();
  const menu = page.getByRole("menu", { name: "Retry with another model" });
  await menu.getByRole("menuitem", { name: "gpt-5-nano" }).click();
  await expect(chat.answer("This is a scripted reply").getByText("gpt-5-nano", { exact: true })).toBeVisible();
  await expect(chat.messages).toHaveCount(2);
});

test("Continue completes an interrupted answer, with a mark at its seam @every-screen", async ({
  chat,
  page,
  provider,
}) => {
  await chooseModel(chat);
  provider.reply = continuing(TEXT);
  provider.next("broken-off");
  await chat.open();
  await chat.send("Count, please.");
  const answer = chat.answer("One two three");
  await expect(answer).toContainText("This answer was cut off. The text received so far is kept.");
  provider.next("held");
  await goOn(chat).focus();
  await page.keyboard.press("Enter");
  await expect(goOn(chat)).toBeHidden();
  await expect(answer).not.toContainText("This answer was cut off.");
  await expect(chat.stopButton).toBeVisible();
  provider.release(" six seven eight nine ten.");
  await expect(answer).toContainText(TEXT);
  await expect(seam(chat)).toHaveCount(1);
  provider.finish();
  await expect(chat.sendButton).toBeVisible();
  await expect(answer).toContainText(TEXT);
  await expect(seam(chat)).toHaveCount(1);
  await page.reload();
  await expect(answer).toContainText(TEXT);
  await expect(seam(chat)).toHaveCount(1);
  await expect(goOn(chat)).toBeHidden();
  await expect(chat.messages).toHaveCount(2);
});

test("Retry replaces an interrupted answer @proof", async ({ chat, page, provider }) => {
  await chooseModel(chat);
  provider.reply = continuing(TEXT);
  provider.next("broken-off");
  await chat.open();
  await chat.send("Count, please.");
  await expect(chat.answer("This answer was cut off.")).toBeVisible();
  await page.reload();
  provider.reply = "Another answer, and whole.";
  await retry(chat).click();
  await expect(chat.answer("Another answer, and whole.")).toBeVisible();
  await expect(chat.sendButton).toBeVisible();
  await expect(chat.messages).toHaveCount(2);
  await expect(retry(chat)).toBeHidden();
  await expect(seam(chat)).toHaveCount(0);
});

test("only the last message offers Continue and Retry @proof", async ({ chat, provider }) => {
  await chooseModel(chat);
  provider.reply = continuing(TEXT);
  provider.next("broken-off");
  await chat.open();
  await chat.send("Count, please.");
  await expect(retry(chat)).toBeVisible();
  provider.reply = "Something else.";
  await chat.ask("Something else, then.");
  await expect(chat.answer("Something else.")).toBeVisible();
  await expect(chat.answer("This answer was cut off.")).toBeVisible();
  await expect(retry(chat)).toBeHidden();
  await expect(goOn(chat)).toBeHidden();
});

test("a stopped answer is continued by Continue, and the box has the focus except on a phone @every-screen", async ({
  chat,
  isMobile,
  provider,
}) => {
  await chat.open();
  provider.next("held", "held");
  await chat.send("A long story.");
  provider.release("Once upon");
  await expect(chat.answer("Once upon")).toBeVisible();
  await chat.stopButton.click();
  await expect(chat.answer("Once upon")).toContainText("You stopped this answer.");
  await goOn(chat).click();
  if (!isMobile) await expect(chat.box).toBeFocused();
  provider.release(" a time.");
  await expect(chat.answer("Once upon a time.")).toBeVisible();
  provider.finish();
  await expect(chat.sendButton).toBeVisible();
  await expect(seam(chat)).toHaveCount(1);
});

test("an answer that reached the model's length limit offers to continue @proof", async ({ chat, provider }) => {
  provider.next("length");
  provider.reply = continuing(TEXT);
  await chat.open();
  await chat.send("Count, please.");
  await expect(chat.answer(TEXT)).toContainText("The answer stopped at the model’s length limit.");
  await expect(retry(chat)).toBeHidden();
  provider.reply = " Eleven.";
  await goOn(chat).click();
  await expect(chat.answer(`${TEXT} Eleven.`)).toBeVisible();
  await expect(chat.sendButton).toBeVisible();
  await expect(goOn(chat)).toBeHidden();
});
