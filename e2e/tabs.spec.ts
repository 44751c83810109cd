import { errorSentences } from "#contract/errors.ts";
import { ChatScreen, expect, failedRequest, test } from "./chat-screen.ts";

/** Blocks the event stream, so that a tab is not notified of changes in the other one. */
async function beUntold(...screens: ChatScreen[]): Promise<void> {
  for (const { page } of screens) await page.route(/\/api\/events/, () => {});
}

test("two tabs show the same answer while it is written @proof", async ({ chat, page, context, parley, provider }) => {
  await chat.open();
  await chat.send("[scenario:held] For both.");
  provider.release("Words");
  await expect(chat.answer("Words")).toBeVisible();
  const other = new ChatScreen(await context.newPage(), parley.app, chat.account);
  await other.page.goto(page.url());
  await expect(other.answer("Words")).toBeVisible();
  provider.release(" for both.");
  await expect(other.answer("Words for both.")).toBeVisible();
  await expect(chat.answer("Words for both.")).toBeVisible();
  provider.finish();
  await expect(other.sendButton).toBeVisible();
  await expect(chat.sendButton).toBeVisible();
});

test.describe("sending in two tabs", () => {
  test.use({ expectedErrors: [failedRequest(409)] });

  test("a message is refused while the other tab's answer is being written, and is sent by Try again after it", async ({
    chat,
    page,
    context,
    parley,
    provider,
  }) => {
    const shared = await chat.prepare("The beginning", "The first answer");
    const other = new ChatScreen(await context.newPage(), parley.app, chat.account);
    await beUntold(chat, other);
    await chat.open(shared);
    await other.open(shared);
    await expect(other.answer("The first answer")).toBeVisible();
    await chat.send("[scenario:held] From the first tab.");
    provider.release("Being written");
    await expect(chat.answer("Being written")).toBeVisible();

    await other.send("From the second tab.");
    await expect(other.banner).toHaveText(/^The assistant is still writing|^This chat has newer messages/);
    await expect(other.question("From the second tab.")).toContainText("Not sent");
    await expect(other.question("From the first tab.")).toBeVisible();
    await expect(other.answer("Being written")).toBeVisible();
    provider.release(", and written.");
    provider.finish();
    await expect(other.answer("Being written, and written.")).toBeVisible();
    await other.question("From the second tab.").getByRole("button", { name: "Try again" }).click();
    await expect(other.answer("This is a scripted reply")).toBeVisible();
    await expect(other.messages).toHaveCount(6);
    await page.reload();
    await expect(chat.question("From the second tab.")).toBeVisible();
  });

  test("a message is shown after the new messages of another tab @proof", async ({ chat, context, parley }) => {
    const shared = await chat.prepare("The beginning", "The first answer");
    const other = new ChatScreen(await context.newPage(), parley.app, chat.account);
    await beUntold(chat, other);
    await chat.open(shared);
    await other.open(shared);
    await expect(other.answer("The first answer")).toBeVisible();
    await chat.ask("From the first tab.");
    await other.send("From the second tab.");
    await expect(other.banner).toContainText(errorSentences["conversation-moved"]);
    await expect(other.question("From the first tab.")).toBeVisible();
    await other.question("From the second tab.").getByRole("button", { name: "Try again" }).click();
    await expect(other.messages).toHaveCount(6);
  });
});
