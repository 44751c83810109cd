import type { Page } from "@playwright/test";
import { expect, listIsReady, test } from "./chat-screen.ts";
import { expectFocusVisible } from "./looks.ts";

/** Presses Tab until the named control has the focus, and asserts that its focus ring is visible. */
async function tabTo(page: Page, name: string | RegExp, key = "Tab"): Promise<void> {
  for (let step = 0; step < 40; step++) {
    await page.keyboard.press(key);
    const focused = page.locator(":focus");
    if ((await focused.count()) === 0) continue;
    const label = await focused.evaluate((element) => element.getAttribute("aria-label") ?? element.textContent ?? "");
    if (typeof name === "string" ? label.trim() !== name : !name.test(label)) continue;
    const ring = await focused.evaluate((element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    });
    expect(ring, `${label} shows its focus`).toBe(true);
    return;
  }
  throw new Error(`${name} was not reached by ${key}`);
}

test("everything can be done by keyboard alone", async ({ chat, page }) => {
  await chat.prepare("The one chat", "An answer");
  await chat.prepare("The other chat", "Another answer");
  await chat.open();
  await expect(chat.entry("The one chat")).toBeVisible();
  await listIsReady(page);
  await expect(chat.box).toBeFocused();

  await tabTo(page, "The other chat", "Shift+Tab");
  await page.keyboard.press("ArrowDown");
  await expect(chat.entry("The one chat")).toBeFocused();
  await expectFocusVisible(chat.entry("The one chat"));
  await page.keyboard.press("Enter");
  await expect(chat.answer("An answer")).toBeVisible();
  await expect(chat.box).toBeFocused();

  await tabTo(page, "The one chat", "Shift+Tab");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  const remove = page.getByRole("button", { name: "Delete The other chat" });
  await expect(remove).toBeFocused();
  await expectFocusVisible(remove);
  await page.keyboard.press("Enter");
  await expect(chat.entry("The other chat")).toBeHidden();
  await expect(chat.entry("The one chat")).toBeFocused();
  // The line is removed before the server has answered, and Undo is offered after that.
  await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
  await page.keyboard.press("Control+z");
  await expect(chat.entry("The other chat")).toBeVisible();
  await page.keyboard.press("Home");
  await expect(chat.entry("The other chat")).toBeFocused();
  await page.keyboard.press("Delete");
  await expect(chat.entry("The other chat")).toBeHidden();
  await expect(chat.entry("The one chat")).toBeFocused();

  await tabTo(page, /^Model: /);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitemradio", { name: /^Automatic/ })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitemradio", { name: "gpt-4.1-nano" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitemradio", { name: "gpt-5-nano" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(chat.modelMenu).toHaveAccessibleName("Model: gpt-5-nano");
  await expect(chat.modelMenu).toBeFocused();

  await page.keyboard.press("Shift+Tab");
  await expect(page.getByRole("button", { name: "Attach files" })).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(chat.box).toBeFocused();
  await page.keyboard.type("By keyboard");
  await page.keyboard.press("Enter");
  await expect(chat.answer("This is a scripted reply")).toBeVisible();
  await expect(chat.box).toBeFocused();

  await tabTo(page, "New chat", "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(chat.welcome).toBeVisible();
  await expect(chat.box).toBeFocused();
  await tabTo(page, "Logout", "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/login");
});

test("Stop is reached from the box, and returns the focus to it", async ({ chat, page, provider }) => {
  await chat.open();
  await chat.box.click();
  await page.keyboard.type("[scenario:held] A story");
  await page.keyboard.press("Enter");
  provider.release("Once upon");
  await expect(chat.answer("Once upon")).toBeVisible();
  await expect(chat.box).toBeFocused();
  await tabTo(page, "Stop");
  await page.keyboard.press("Enter");
  await expect(chat.answer("Once upon")).toContainText("You stopped this answer.");
  await expect(chat.box).toBeFocused();
});

test("the banner can be closed by keyboard", async ({ chat, page, provider }) => {
  provider.scenario = "error-before-first-word";
  await chat.open();
  await chat.send("Fail, please");
  await expect(chat.banner).toBeVisible();
  await tabTo(page, "Close", "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(chat.banner).toBeHidden();
  await expect(chat.box).toBeFocused();
});
