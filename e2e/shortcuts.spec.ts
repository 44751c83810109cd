import type { Page } from "@playwright/test";
import { expect, listIsReady, test } from "./chat-screen.ts";
import { clipboardText } from "./clipboard.ts";

const list = (page: Page) => page.getByRole("dialog", { name: "Keyboard shortcuts" });
const editBox = (page: Page) => page.getByRole("textbox", { name: "Edit message" });

test("all shortcuts are listed, and single-key ones can be disabled", { tag: "@every-screen" }, async ({
  chat,
  page,
}) => {
  await chat.open();
  await (await chat.sidebar()).getByRole("button", { name: chat.account.user.username }).click();
  await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
  await expect(list(page).getByRole("heading", { level: 3 })).toHaveText([
    "General",
    "In a chat",
    "Writing",
    "List of chats",
    "Search",
  ]);
  // The focus is at the beginning of the list.
  await expect(page.locator(":focus")).toContainText("Go to a notification");
  await page.keyboard.press("Escape");
  await expect(list(page)).toBeHidden();
  await chat.leaveSidebar();

  await chat.box.focus();
  await page.keyboard.type("?/");
  await expect(chat.box).toHaveValue("?/");
  await expect(list(page)).toBeHidden();
  await chat.modelMenu.focus();
  await page.keyboard.press("?");
  await list(page).getByLabel("Single-key shortcuts").uncheck();
  await page.keyboard.press("Escape");
  await expect(list(page)).toBeHidden();
  await expect(chat.modelMenu).toBeFocused();
  await page.keyboard.press("/");
  await page.keyboard.press("?");
  await expect(chat.modelMenu).toBeFocused();
  await page.reload();
  await chat.keysAreThere();
  await page.keyboard.press("Control+/");
  await expect(list(page)).toBeVisible();
  await list(page).getByLabel("Single-key shortcuts").check();
  await page.keyboard.press("Escape");
  await expect(list(page)).toBeHidden();
  await chat.modelMenu.focus();
  await page.keyboard.press("/");
  await expect(chat.box).toBeFocused();
});

test("Escape stops the reply unless it has something else to close first", async ({ chat, page, provider }) => {
  await chat.open();
  await chat.send("[scenario:held] A story");
  provider.release("Once upon");
  await expect(chat.answer("Once upon")).toBeVisible();

  await chat.modelMenu.press("Enter");
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Search" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await chat.box.focus();
  await chat.box.dispatchEvent("keydown", { key: "Escape", keyCode: 229, bubbles: true, cancelable: true });
  await chat.entry("story").focus();
  await page.keyboard.press("Escape");
  await expect(chat.stopButton).toBeVisible();

  await page.keyboard.press("Shift+Escape");
  await expect(chat.box).toBeFocused();
  await expect(chat.stopButton).toBeVisible();
  await page.keyboard.press("Escape");
  // Works at once, although the answer is not completely stored yet.
  await page.keyboard.press("ArrowUp");
  await expect(editBox(page)).toBeFocused();
  await expect(chat.answer("Once upon")).toContainText("You stopped this answer.");
  await page.keyboard.press("Escape");
  await expect(editBox(page)).toBeHidden();
  await expect(page.locator(":focus")).toHaveAccessibleName("Edit");
  await page.keyboard.press("Shift+Escape");
  await page.keyboard.type("Words");
  await page.keyboard.press("ArrowUp");
  await expect(editBox(page)).toBeHidden();
});

test("chats are switched, created, renamed and deleted by shortcuts", async ({ chat, page, context }) => {
  await context.grantPermissions(["clipboard-write"]);
  const third = await chat.prepare("Third", "Answer three");
  const second = await chat.prepare("Second", "Answer two");
  const first = await chat.prepare("First", "Answer one");
  await chat.open();
  await expect(chat.entry("First")).toBeVisible();
  await chat.keysAreThere();
  await page.keyboard.press("Alt+ArrowDown");
  await expect(page).toHaveURL(`/chat?c=${first}`);
  await expect(chat.answer("Answer one")).toBeVisible();
  await page.keyboard.press("Alt+ArrowDown");
  await expect(chat.answer("Answer two")).toBeVisible();
  await page.keyboard.press("Alt+ArrowDown");
  await page.keyboard.press("Alt+ArrowDown");
  await expect(page).toHaveURL(`/chat?c=${third}`);
  await page.keyboard.press("Alt+ArrowUp");
  await expect(page).toHaveURL(`/chat?c=${second}`);
  await expect(chat.answer("Answer two")).toBeVisible();
  await expect(chat.box).toBeFocused();

  // Two presses may arrive before the first one is painted.
  await page.evaluate(() => {
    const init = { key: "ArrowUp", altKey: true, bubbles: true, cancelable: true };
    const press = (key: string) =>
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { ...init, key }));
    press("ArrowUp");
    press("ArrowDown");
  });
  await expect(page).toHaveURL(`/chat?c=${second}`);
  await expect(chat.answer("Answer two")).toBeVisible();

  // While the key repeats, no chat in between is loaded; the last one opens.
  await page.evaluate(() => {
    const press = (repeat: boolean) => {
      const init = { key: "ArrowUp", altKey: true, repeat, bubbles: true, cancelable: true };
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", init));
    };
    for (let repeats = 0; repeats < 5; repeats++) press(true);
  });
  await expect(page).toHaveURL(`/chat?c=${first}`);
  await expect(page.locator("[data-passed]")).toHaveCount(0);
  // Before this, the chat in between was read by the presses above.
  const read: string[] = [];
  page.on("request", (request) => void read.push(new URL(request.url()).pathname));
  await page.evaluate(() => {
    const init = { key: "ArrowDown", altKey: true, repeat: true, bubbles: true, cancelable: true };
    for (let repeats = 0; repeats < 5; repeats++)
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", init));
  });
  await expect(page).toHaveURL(`/chat?c=${third}`);
  expect(read.filter((path) => path === `/api/chat/${second}`)).toEqual([]);
  await page.keyboard.press("Alt+ArrowUp");
  await expect(page).toHaveURL(`/chat?c=${second}`);
  await expect(chat.answer("Answer two")).toBeVisible();

  await page.keyboard.press("Control+Shift+c");
  await expect.poll(() => clipboardText(page)).toBe("Answer two");
  await page.keyboard.press("F2");
  await page.getByRole("dialog", { name: "Rename chat" }).getByRole("textbox").fill("Two");
  await page.keyboard.press("Enter");
  await expect(chat.entry("Two")).toBeVisible();
  await expect(chat.box).toBeFocused();
  await page.keyboard.press("Alt+m");
  await expect(page.getByRole("combobox", { name: "Search" })).toHaveAttribute("placeholder", "Choose a model");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();

  await listIsReady(page);
  await chat.entry("Third").focus();
  await page.keyboard.press("Delete");
  await expect(chat.entry("Third")).toBeHidden();
  await expect(chat.entry("Two")).toBeFocused();
  // The line is removed before the server has answered, and Undo is offered after that.
  await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
  await page.keyboard.press("Control+z");
  await expect(chat.entry("Third")).toBeVisible();

  await page.keyboard.press("Control+Shift+O");
  await expect(chat.welcome).toBeVisible();
  await expect(chat.box).toBeFocused();
  await page.keyboard.press("Control+Shift+,");
  await expect(page).toHaveURL("/settings/account");
});
