import { expect, expectAccessible, test } from "./chat-screen.ts";
import { expectTouchable } from "./looks.ts";

test("the list of chats is a drawer: a button opens it, Escape and a touch beside it close it", async ({
  chat,
  page,
}) => {
  await chat.prepare("A question", "An answer");
  await chat.open();
  const opener = page.getByRole("button", { name: "Open the list of chats" });
  const drawer = page.getByRole("dialog", { name: "Chats" });
  await expect(drawer).toBeHidden();
  await opener.tap();
  await expect(chat.entry("A question")).toBeVisible();
  await expectAccessible(page);
  await expectTouchable(drawer);
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();
  await expect(opener).toBeFocused();
  await opener.tap();
  await expect(drawer).toBeVisible();
  await page.touchscreen.tap(380, 400);
  await expect(drawer).toBeHidden();
  await opener.tap();
  await drawer.getByRole("button", { name: "Close the list of chats" }).tap();
  await expect(drawer).toBeHidden();
});

test("the drawer keeps the focus while it is open", async ({ chat, page }) => {
  await chat.prepare("A question", "An answer");
  await chat.open();
  await chat.sidebar();
  const drawer = page.getByRole("dialog", { name: "Chats" });
  await expect(chat.entry("A question")).toBeVisible();
  for (let step = 0; step < 8; step++) {
    expect(await drawer.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await page.keyboard.press(step < 6 ? "Tab" : "Shift+Tab");
  }
});

test("choosing and beginning a chat close the drawer, deleting one does not", async ({ chat, page }) => {
  const one = await chat.prepare("The one chat", "An answer");
  await chat.prepare("The other chat", "An answer");
  await chat.open();
  await chat.choose("The one chat");
  await expect(page).toHaveURL(`/chat?c=${one}`);
  await expect(chat.question("The one chat")).toBeVisible();
  const sidebar = await chat.sidebar();
  await sidebar.getByRole("button", { name: "Delete The other chat" }).tap();
  await expect(chat.entry("The other chat")).toBeHidden();
  await expect(sidebar).toBeVisible();
  await page.getByRole("status").getByRole("button", { name: "Close" }).tap();
  await expect(sidebar).toBeVisible();
  await sidebar.getByRole("button", { name: "New chat" }).tap();
  await expect(page.getByRole("dialog", { name: "Chats" })).toBeHidden();
  await expect(chat.welcome).toBeVisible();
});

test("the chat of the drawer that is open already closes it too", async ({ chat, page }) => {
  await chat.open(await chat.prepare("The one chat", "An answer"));
  await chat.sidebar();
  await chat.entry("The one chat").tap();
  await expect(page.getByRole("dialog", { name: "Chats" })).toBeHidden();
});

test("everything fits, the box stands in view, and fingers hit what they aim at", async ({ chat, page, provider }) => {
  const wide = `| ${"a wide head | ".repeat(12)}\n| ${"--- | ".repeat(12)}\n| ${"a wide cell | ".repeat(12)}`;
  provider.reply = `${wide}\n\n\`\`\`js\nconst line = "${"very ".repeat(60)}long";\n\`\`\`\n\n${"unbroken".repeat(40)}`;
  const isWiderThanScreen = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  await chat.open();
  await expect(chat.sendButton).toBeInViewport({ ratio: 1 });
  await expectTouchable(page.getByRole("main"));
  expect(await isWiderThanScreen()).toBe(false);
  await chat.ask(`A long word: ${"unbroken".repeat(40)}`);
  await expect(chat.messages.last().getByRole("button", { name: "Copy message" })).toBeVisible();
  expect(await isWiderThanScreen()).toBe(false);
  await expect(chat.sendButton).toBeInViewport({ ratio: 1 });
  await expectTouchable(page.getByRole("main"));
  await expectAccessible(page);
  await chat.modelMenu.tap();
  const heights = await page
    .getByRole("menuitemradio")
    .evaluateAll((items) => items.map((item) => (item instanceof HTMLElement ? item.offsetHeight : 0)));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  await expect(page.getByRole("menu")).toBeInViewport({ ratio: 1 });
});

test("neither opening a chat nor sending brings up the keyboard", async ({ chat }) => {
  await chat.open(await chat.prepare("The one chat", "An answer"));
  await expect(chat.question("The one chat")).toBeVisible();
  await expect(chat.box).not.toBeFocused();
  await chat.box.fill("By touch");
  await chat.box.blur();
  await chat.sendButton.tap();
  await expect(chat.answer("This is a scripted reply")).toBeVisible();
  await expect(chat.box).not.toBeFocused();
});
