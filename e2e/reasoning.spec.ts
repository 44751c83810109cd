import type { Page } from "@playwright/test";
import { expect, test } from "./chat-screen.ts";
import { expectTouchable } from "./looks.ts";
import { openSection } from "./settings-screen.ts";

const FIRST = "**Reading the question**\n\nThe sky is meant. ";
const SECOND = "\n\n**Choosing an answer**\n\nOne sentence is enough.";

const middle = (box: { y: number; height: number } | null) => (box ? box.y + box.height / 2 : Number.NaN);
const growing = (page: Page) => page.getByRole("button", { name: "Thinking..." });
const ended = (page: Page) => page.getByRole("button", { name: /^Thought for \d+s$/ });
const text = (page: Page) => page.getByRole("region", { name: "Reasoning" });

test("reasoning grows folded, opens, survives a reload, and stays out of the answer @every-screen @phone", async ({
  chat,
  page,
  provider,
}) => {
  await chat.open();
  await chat.send("[scenario:held] Why is the sky blue?");
  await provider.untilHeld(1);
  const indicator = await page.getByText("Thinking...").boundingBox();
  provider.think(FIRST);
  await expect(growing(page)).toContainText("Reading the question");
  const line = await growing(page).boundingBox();
  expect(middle(line)).toBeCloseTo(middle(indicator), 0);
  await growing(page).focus();
  await page.keyboard.press("Enter");
  await expect(text(page)).toContainText("The sky is meant.");

  // Another connection continues where the stored message ends.
  await page.reload();
  await expect(growing(page)).toBeVisible();
  provider.think(SECOND);
  await expect(growing(page)).toContainText("Choosing an answer");
  await growing(page).click();
  await expect(text(page)).toHaveText("Reading the questionThe sky is meant.Choosing an answerOne sentence is enough.");
  provider.release("Because of the air.");
  await expect(ended(page)).toHaveAttribute("aria-expanded", "true");
  await expect(chat.answer("Because of the air.")).toBeVisible();
  provider.finish();
  await expect(chat.sendButton).toBeVisible();
  await expect(text(page)).toBeVisible();
  if (test.info().project.name === "phone") await expectTouchable(page.getByRole("main"));

  await page.reload();
  await expect(ended(page)).toHaveAttribute("aria-expanded", "false");
  await expect(text(page)).toHaveCount(0);
  await ended(page).click();
  await expect(text(page)).toContainText("One sentence is enough.");
});

for (const [place, words] of [
  ["in a block of their own", "\n\nThe air."],
  ["in the same block", " The air."],
] as const) {
  test(`a press on reasoning in an answer opens it, if words follow ${place} before the release @every-screen`, async ({
    chat,
    page,
    provider,
  }) => {
    await chat.open();
    await chat.send("[scenario:held] Why?");
    await provider.untilHeld(1);
    provider.release("Let me see.");
    await expect(chat.answer("Let me see.")).toBeVisible();
    provider.think(FIRST);
    await expect(growing(page)).toContainText("Reading the question");
    const box = await growing(page).boundingBox();
    await page.mouse.move(middle({ y: box?.x ?? 0, height: box?.width ?? 0 }), middle(box));
    await page.mouse.down();
    provider.release(words);
    await expect(chat.messages.last()).toContainText("The air.");
    await page.mouse.up();
    await expect(ended(page)).toHaveAttribute("aria-expanded", "true");
    await expect(text(page)).toContainText("The sky is meant.");
    await expect
      .poll(async () => {
        const [line, block] = [await ended(page).boundingBox(), await page.getByText("The air.").boundingBox()];
        return (block?.y ?? 0) - (line?.y ?? 0);
      })
      .toBeGreaterThan(0);
    provider.finish();
    await expect(chat.sendButton).toBeVisible();
  });
}

test("a temporary chat shows reasoning like any other, and keeps it when it is saved @proof", async ({
  chat,
  page,
  provider,
}) => {
  await page.goto("/chat?temporary=1");
  await chat.send("[scenario:held] Why?");
  provider.think(FIRST);
  await growing(page).click();
  await expect(text(page)).toContainText("The sky is meant.");
  provider.release("Because.");
  await expect(ended(page)).toBeVisible();
  provider.finish();
  await expect(chat.sendButton).toBeVisible();
  await page.getByRole("button", { name: "Save this chat" }).click();
  await expect(page).toHaveURL(/\/chat\?c=/);
  await expect(ended(page)).toBeVisible();
  await page.reload();
  await ended(page).click();
  await expect(text(page)).toContainText("The sky is meant.");
});

test("an opened reasoning opens the next ones of the chat, unless the setting collapses them @proof", async ({
  chat,
  page,
  provider,
}) => {
  const think = async (question: string) => {
    await chat.send(`[scenario:held] ${question}`);
    await provider.untilHeld(1);
    provider.think(FIRST);
    await expect(growing(page)).toBeVisible();
  };
  const answer = async () => {
    provider.release("Words.");
    provider.finish();
    await expect(chat.sendButton).toBeVisible();
  };
  await chat.open();
  await think("One");
  await expect(growing(page)).toHaveAttribute("aria-expanded", "false");
  await growing(page).click();
  await answer();
  await think("Two");
  await expect(growing(page)).toHaveAttribute("aria-expanded", "true");
  await answer();
  const address = page.url();

  await openSection(page, "appearance");
  await page.getByRole("switch", { name: "Always collapse reasoning" }).check();
  await expect(page.locator("html")).toHaveAttribute("data-reasoning", "collapse");
  await page.goto(address);
  await ended(page).first().click();
  await think("Three");
  await expect(growing(page)).toHaveAttribute("aria-expanded", "false");
  await answer();
});
