import { type ChatScreen, expect, test } from "./chat-screen.ts";
import { animationsEnded, expectTouchable } from "./looks.ts";

/** Height (px) of the composer's surface: one line is 52 px with its border at most. */
const heightOf = (chat: ChatScreen) =>
  chat.box.evaluate((box) => Math.round(box.parentElement?.getBoundingClientRect().height ?? 0));
const ONE_LINE = 54;

const openChat = async (chat: ChatScreen) => chat.open(await chat.prepare("A question", "An answer"));

test("an empty composer rests in one line with the model and Send, and opens while it is used", async ({
  chat,
  page,
}) => {
  await openChat(chat);
  const presets = page.getByRole("button", { name: "Preset" });
  await expect(page.locator("[data-tooltip=Presets]")).toBeAttached();
  await expect(presets).toBeHidden();
  await expect.poll(() => heightOf(chat)).toBe(ONE_LINE);
  await expect(chat.box).toBeInViewport({ ratio: 1 });
  await expect(chat.modelMenu).toBeInViewport({ ratio: 1 });
  await expect(chat.sendButton).toBeInViewport({ ratio: 1 });
  await expectTouchable(page.getByRole("main"));

  await chat.box.tap();
  await expect(chat.box).toBeFocused();
  await expect.poll(() => heightOf(chat)).toBeGreaterThan(80);
  expect((await presets.boundingBox())?.width).toBeGreaterThanOrEqual(44);
  await expectTouchable(page.getByRole("main"));

  await page.getByText("An answer").tap();
  await chat.box.blur();
  await expect.poll(() => heightOf(chat)).toBe(ONE_LINE);
});

test("a composer with text stays open, and rests again once the text was sent", async ({ chat, page }) => {
  await openChat(chat);
  await chat.box.fill("Words");
  await chat.box.blur();
  await page.getByText("An answer").tap();
  expect(await heightOf(chat)).toBeGreaterThan(80);
  await chat.box.tap();
  await chat.sendButton.tap();
  await expect(chat.answer("This is a scripted reply")).toBeVisible();
  await expect.poll(() => heightOf(chat)).toBe(ONE_LINE);
});

test("the model menu opens from the resting line, which takes a second one for a long name", async ({ chat, page }) => {
  await openChat(chat);
  await chat.modelMenu.tap();
  const menu = page.getByRole("menu");
  await expect(menu).toBeVisible();
  expect(await heightOf(chat)).toBe(ONE_LINE);
  await menu.getByRole("menuitemradio", { name: "Claude Sonnet 4.5" }).tap();
  await expect(chat.modelMenu).toHaveAccessibleName("Model: Claude Sonnet 4.5 (20250929)");
  await animationsEnded(page);
  // The name is whole, and the box has a line of its own.
  expect((await chat.box.boundingBox())?.width).toBeGreaterThan(300);
  expect(await heightOf(chat)).toBe(ONE_LINE + 44);
});

test("the composer stays open while a menu of it is open", async ({ chat, page }) => {
  await openChat(chat);
  await chat.box.tap();
  const presets = page.getByRole("button", { name: "Preset" });
  await presets.tap();
  await expect(page.getByRole("menu")).toBeVisible();
  await animationsEnded(page);
  expect(await heightOf(chat)).toBeGreaterThan(80);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  await expect(presets).toBeFocused();
  expect(await heightOf(chat)).toBeGreaterThan(80);
});

test("the keyboard reaches every control of the resting line, which opens for it", async ({ chat, page }) => {
  await openChat(chat);
  await expect(page.locator("[data-tooltip=Presets]")).toBeAttached();
  await chat.box.focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Attach files" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(chat.modelMenu).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Thinking effort" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Tools" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Preset" })).toBeFocused();
  await expect(page.getByRole("button", { name: "Preset" })).toBeInViewport({ ratio: 1 });
});

test("the messages do not jump when the composer opens and rests again", async ({ chat, page }) => {
  const paragraphs = Array.from({ length: 60 }, (_, line) => `Paragraph ${line}.`).join("\n\n");
  await chat.open(await chat.prepare("A question", paragraphs));
  await expect(page.getByText("Paragraph 59.")).toBeInViewport();
  const line = page.getByText("Paragraph 30.", { exact: true });
  await line.scrollIntoViewIfNeeded();
  const before = await line.boundingBox();
  await chat.box.tap();
  await expect.poll(() => heightOf(chat)).toBeGreaterThan(80);
  expect(await line.boundingBox()).toEqual(before);
  await chat.box.blur();
  await expect.poll(() => heightOf(chat)).toBe(ONE_LINE);
  expect(await line.boundingBox()).toEqual(before);
});
