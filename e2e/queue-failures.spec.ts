import type { Page } from "@playwright/test";
import { attach, attachedRow } from "./attached-files.ts";
import { expect, failedRequest, SEND, test } from "./chat-screen.ts";
import { beginAnswer, contents, NEXT, queue, queueOf } from "./queued-messages.ts";

test.describe("a queued message without a network", () => {
  test.use({ expectedErrors: [/net::ERR_/] });

  test("a queued message is sent after a lost network once its answer is known to be complete", async ({
    chat,
    page,
    context,
    provider,
  }) => {
    const id = await beginAnswer(chat, provider);
    await queue(chat, "The second");
    await context.setOffline(true);
    provider.finish();
    await expect(chat.sendButton).toBeVisible();
    await expect(queueOf(page)).toHaveText([new RegExp(NEXT)]);
    await context.setOffline(false);
    await expect(chat.question("The second")).toBeVisible();
    await expect.poll(() => contents(chat, id)).toHaveLength(6);
    await expect.poll(() => provider.chats.length).toBe(2);
  });

  test("a queued message waits behind a message that waits for the connection @proof", async ({
    chat,
    page,
    context,
    provider,
  }) => {
    const id = await chat.prepare("The beginning", "The first answer");
    const loaded = page.waitForResponse(/\/queued-messages-/);
    await chat.open(id);
    await expect(chat.answer("The first answer")).toBeVisible();
    await (await loaded).finished();
    await context.setOffline(true);
    await chat.send("The second");
    await expect(chat.question("The second")).toContainText("Waiting for the connection…");
    await queue(chat, "The third");
    await context.setOffline(false);
    await expect(chat.question("The third")).toBeVisible();
    await expect(chat.messages).toHaveCount(6);
    await expect.poll(() => provider.chats.length).toBe(2);
  });
});

test.describe("a refused message", () => {
  test.use({ expectedErrors: [failedRequest(400)] });

  test("a refused message does not disturb the text that is being written @proof", async ({ chat, page, provider }) => {
    await beginAnswer(chat, provider);
    await queue(chat, "The second");
    await chat.box.fill("Half a sentence");
    await expect(chat.box).toBeFocused();
    const body = JSON.stringify({ detail: "No.", error: "No." });
    await page.route(SEND, (route) => route.fulfill({ status: 400, contentType: "application/json", body }));
    provider.finish();
    await expect(chat.banner).toBeVisible();
    await expect(queueOf(page)).toHaveCount(0);
    await expect(chat.question("The second")).toContainText("Not sent");
    await expect(chat.box).toHaveValue("Half a sentence");
    await page.unroute(SEND);
    await chat.question("The second").getByRole("button", { name: "Try again" }).click();
    await expect(chat.question("The second")).toBeVisible();
    await expect(chat.answer("This is a scripted reply")).toBeVisible();
    await expect(chat.box).toHaveValue("Half a sentence");
  });
});

/** A file that the server refuses once it has read it. */
const DRAWING = { name: "drawing.ps", type: "", bytes: "%!PS-Adobe-3.0\n" };

/** Holds all uploads of the page. @returns a function that lets them go on */
async function holdUploads(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(/\/api\/files\//, async (route) => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}

test.describe("a queued message whose file fails", () => {
  test.use({ expectedErrors: [failedRequest(415)] });

  test("a queued message shows at once why its file failed, and is sent without the file once it is removed @proof", async ({
    chat,
    page,
    provider,
  }) => {
    await beginAnswer(chat, provider);
    const goOn = await holdUploads(page);
    await attach(page, DRAWING, { name: "notes.md", type: "text/markdown", bytes: "A fjord is a long inlet." });
    await expect(attachedRow(page).getByRole("listitem")).toHaveCount(2);
    await queue(chat, "Summarise them");
    goOn();
    const message = page.getByRole("list", { name: "Queued messages" });
    await expect(message).toContainText("Files of this kind cannot be attached.");
    await expect(message).toContainText("Remove the files that failed");
    await expect(message).not.toContainText(NEXT);
    await message.getByRole("button", { name: "Remove drawing.ps" }).click();
    await expect(message).toContainText(NEXT);
    await expect(message).toContainText("notes.md");
    provider.finish();
    await expect(chat.question("Summarise them")).toContainText("notes.md");
    await expect(chat.answer(/scripted reply/)).toBeVisible();
  });

  test("a queued message whose file failed is held, with the reason, once the answer is complete @proof", async ({
    chat,
    page,
    provider,
  }) => {
    await beginAnswer(chat, provider);
    const goOn = await holdUploads(page);
    await attach(page, DRAWING);
    await expect(attachedRow(page).getByRole("listitem")).toHaveCount(1);
    await queue(chat, "Read it");
    provider.finish();
    goOn();
    await expect(chat.sendButton).toBeVisible();
    const message = page.getByRole("list", { name: "Queued messages" });
    await expect(message).toContainText("Remove the files that failed");
    await expect(message.getByRole("button", { name: "Send now" })).toHaveCount(0);
    await message.getByRole("button", { name: "Remove drawing.ps" }).click();
    await message.getByRole("button", { name: "Send now" }).click();
    await expect(chat.question("Read it")).toBeVisible();
  });
});
