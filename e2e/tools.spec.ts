import type { Page } from "@playwright/test";
import { expect, test } from "./shop.ts";

/** Hides or shows the page, as another tab in front of it does. */
const showPage = (page: Page, state: DocumentVisibilityState) =>
  page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, value });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);

test("a tool is switched on and its call is allowed by keyboard, and the chat is marked while it waits", async ({
  chat,
  page,
  letBuy,
  bought,
}) => {
  letBuy("ladder");
  await chat.open();
  await chat.box.focus();
  await page.getByRole("button", { name: "Tools" }).focus();
  await page.keyboard.press("Enter");
  const shop = page.getByRole("menuitemcheckbox", { name: "shop" });
  await expect(shop).toBeVisible();
  await page.keyboard.press("End");
  await expect(shop).toBeFocused();
  await page.keyboard.press("Space");
  await expect(shop).toBeChecked();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Tools · 1: shop" })).toBeFocused();

  await chat.send("Buy me a ladder");
  const card = page.getByRole("group", { name: "The assistant wants to use buy" });
  await expect(card).toContainText("ladder");
  const entry = (await chat.sidebar()).getByRole("link", { name: /Waits for you/ });
  await expect(entry).toBeVisible();
  await showPage(page, "hidden");
  await expect(page).toHaveTitle(/^\(1\) /);
  await showPage(page, "visible");
  await expect(page).not.toHaveTitle(/^\(1\) /);
  expect(bought()).toEqual([]);

  const once = card.getByRole("button", { name: "Allow once" });
  const isFocused = () => once.evaluate((button) => button === document.activeElement);
  await expect(chat.box).toBeFocused();
  for (let step = 0; step < 15 && !(await isFocused()); step += 1) await page.keyboard.press("Shift+Tab");
  await expect(once).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(chat.answer("Bought.")).toBeVisible();
  expect(bought()).toEqual(["ladder"]);
  await expect(card).toBeHidden();
  // The card is removed before the page has joined the reply, whose line then takes the focus.
  await expect(page.getByRole("button", { name: /^Worked in 1 step/ })).toBeFocused();
  await expect(entry).toBeHidden();
});
