import type { Page } from "@playwright/test";
import { expect, test } from "./chat-screen.ts";

/** Pauses all animations by script at their beginning, and waits until the composer can begin one. */
async function openHeld(page: Page, open: () => Promise<void>): Promise<void> {
  await page.addInitScript(() => {
    const { animate } = Element.prototype;
    Element.prototype.animate = function (this: Element, ...args: Parameters<typeof animate>) {
      const animation = animate.apply(this, args);
      animation.pause();
      return animation;
    };
  });
  const loaded = page.waitForResponse(/composer-motion/);
  await open();
  const chunk = (await loaded).url();
  // The page's own import of the chunk resolves before this one, and renders the component in microtasks.
  await page.evaluate(async (url) => {
    await import(url);
    await new Promise(requestAnimationFrame);
  }, chunk);
}

/** Returns the paused animations and seeks them to a time (ms). */
const seek = (page: Page, ms: number) =>
  page.evaluate((time) => {
    const held = document.getAnimations().filter(({ playState }) => playState === "paused");
    for (const animation of held) animation.currentTime = time;
    return held.map(({ effect }) => effect?.getComputedTiming().duration);
  }, ms);

const finishHeld = (page: Page) =>
  page.evaluate(() => {
    for (const animation of document.getAnimations()) if (animation.playState === "paused") animation.finish();
  });

const topOf = (page: Page) =>
  page.getByPlaceholder("Message ChatGPT...").evaluate((box) => Math.round(box.getBoundingClientRect().top));

test("the first message moves the composer to the foot in 160 ms, and nothing waits for it", async ({
  chat,
  page,
  provider,
}) => {
  await openHeld(page, () => chat.open());
  await chat.box.fill("[scenario:held] First");
  const welcome = await topOf(page);
  await chat.box.press("Enter");
  await expect(chat.question("First")).toBeVisible();
  expect(await seek(page, 0)).toEqual([160]);
  expect(Math.abs((await topOf(page)) - welcome)).toBeLessThanOrEqual(1);
  // While it moves, the message is sent and its answer arrives, and the box has the focus and takes the next text.
  await expect.poll(() => provider.chats.length).toBeGreaterThan(0);
  provider.release("Words");
  await expect(chat.answer("Words")).toBeVisible();
  await page.keyboard.type("Next");
  await expect(chat.box).toHaveValue("Next");
  expect(await seek(page, 80)).toEqual([160]);
  const middle = await topOf(page);
  expect(middle).toBeGreaterThan(welcome + 20);
  await finishHeld(page);
  expect(await topOf(page)).toBeGreaterThan(middle);
  await expect(chat.sendButton.or(chat.stopButton)).toBeInViewport({ ratio: 1 });
  await expect(chat.box).toBeFocused();
  await expect(chat.box).toHaveValue("Next");
});

test("neither opening a chat from the welcome nor a send with reduced motion moves the composer", async ({
  chat,
  page,
}) => {
  await chat.prepare("An older chat", "An answer");
  await openHeld(page, () => chat.open());
  await chat.ask("A message that moves it");
  expect(await seek(page, 0)).toEqual([160]);
  await finishHeld(page);
  await page.getByRole("button", { name: "New chat" }).first().click();
  await expect(chat.welcome).toBeVisible();
  await chat.choose("An older chat");
  await expect(chat.question("An older chat")).toBeVisible();
  expect(await seek(page, 0)).toEqual([]);

  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.getByRole("button", { name: "New chat" }).first().click();
  await expect(chat.welcome).toBeVisible();
  await chat.ask("A first message");
  expect(await seek(page, 0)).toEqual([]);
});

test("the heading of the welcome keeps its position while the box grows @phone", async ({ chat, page }) => {
  await chat.open();
  const before = await chat.welcome.boundingBox();
  const small = await chat.box.boundingBox();
  await chat.box.click();
  for (let line = 1; line <= 8; line += 1) {
    await page.keyboard.type(`Line ${line}`);
    await page.keyboard.press("Shift+Enter");
    expect(await chat.welcome.boundingBox()).toEqual(before);
  }
  expect((await chat.box.boundingBox())?.height).toBeGreaterThan((small?.height ?? 0) + 100);
  await expect(chat.sendButton).toBeInViewport({ ratio: 1 });
});
