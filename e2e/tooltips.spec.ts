import type { Page } from "@playwright/test";
import { expect, test } from "./chat-screen.ts";

/** The tooltip repeats a name for the eyes, so it is hidden from screen readers. */
const tooltipOf = (page: Page) => page.getByRole("tooltip", { includeHidden: true });

test.describe("tooltips by mouse and keyboard", () => {
  test.skip(({ isMobile }) => isMobile, "a phone has no tooltips");

  test("a button shows its name and its key under the pointer, also while it is disabled @every-screen", async ({
    chat,
    page,
  }) => {
    await chat.prepare("A question", "An answer");
    await chat.open();
    const tooltip = tooltipOf(page);
    await chat.sendButton.hover({ force: true });
    await expect(tooltip).toHaveText("SendEnter");
    const hide = page.getByRole("button", { name: "Hide the list of chats" });
    await hide.hover();
    await expect(tooltip).toHaveText("Hide the list of chatsCtrlB");
    await tooltip.hover();
    await expect(tooltip).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(tooltip).toBeHidden();
    await hide.click();
    await expect(page.getByRole("button", { name: "Show the list of chats" })).toBeVisible();
    await expect(tooltip).toBeHidden();
    await expect(page.locator("[title]:not(iframe)")).toHaveCount(0);
  });

  test("Tab shows the tooltip of the control that it reaches, and Escape closes it before the dialog @every-screen", async ({
    chat,
    page,
  }) => {
    await chat.prepare("A question", "An answer");
    await chat.open();
    await chat.keysAreThere();
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog");
    await expect(palette.getByRole("combobox")).toBeFocused();
    await page.keyboard.press("Tab");
    const tooltip = tooltipOf(page);
    await expect(tooltip).toHaveText("Filters");
    await page.keyboard.press("Tab");
    await expect(tooltip).toHaveText("Close");
    await page.keyboard.press("Escape");
    await expect(tooltip).toBeHidden();
    await expect(palette).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(palette).toBeHidden();
    await expect(tooltip).toBeHidden();
  });

  test("a press on a tooltip closes no dialog", async ({ chat, page }) => {
    await chat.prepare("A question", "An answer");
    await chat.open();
    await chat.keysAreThere();
    await page.keyboard.press("Control+k");
    await page.getByRole("button", { name: "Filters" }).hover();
    const tooltip = tooltipOf(page);
    await expect(tooltip).toHaveText("Filters");
    await tooltip.click();
    await expect(page.getByRole("dialog")).toBeVisible();
  });

  test("a title of the list is whole in a tooltip beside it, if it is cut off", async ({ chat, page }) => {
    const long = "A long question that the list of chats cuts off";
    await chat.prepare("A short one", "An answer");
    await chat.prepare(long, "An answer");
    await page.setViewportSize({ width: 900, height: 600 });
    await chat.open();
    const tooltip = tooltipOf(page);
    await chat.entry(long).hover();
    await expect(tooltip).toHaveText(long);
    const line = await chat.entry(long).boundingBox();
    expect((await tooltip.boundingBox())?.x).toBeGreaterThan((line?.x ?? 0) + (line?.width ?? 0));
    await chat.entry("A short one").hover();
    await expect(tooltip).toBeHidden();
  });

  test("tooltips are within the window, from right to left too", async ({ chat, page }) => {
    await chat.prepare("A question", "An answer");
    await page.addInitScript(() => localStorage.setItem("parley.language", "ar"));
    await page.setViewportSize({ width: 800, height: 500 });
    await page.goto("/chat");
    await expect(page.getByRole("navigation").first().getByRole("link")).toBeVisible();
    const tooltip = tooltipOf(page);
    for (const button of await page.locator("button[data-tooltip]:visible").all()) {
      await button.hover({ force: true });
      await expect(tooltip).toHaveText(new RegExp(`^${(await button.getAttribute("data-tooltip")) ?? ""}`));
      const { x = -1, y = -1, width = 0, height = 0 } = (await tooltip.boundingBox()) ?? {};
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(800);
      expect(y + height).toBeLessThanOrEqual(500);
    }
  });
});

test.describe("tooltips by touch", () => {
  test.skip(({ isMobile }) => !isMobile, "needs a touch screen");

  test("a finger shows no tooltip @every-screen @proof", async ({ chat, page }) => {
    await chat.prepare("A question", "An answer");
    await chat.open();
    await page.getByRole("button", { name: "Open the list of chats" }).tap();
    await page.getByRole("button", { name: "Search your chats" }).tap();
    await page.getByRole("button", { name: "Filters" }).tap();
    await expect(page.getByRole("button", { name: "Filters" })).toHaveAttribute("aria-expanded", "true");
    await expect(page.locator("[role=tooltip], [title]:not(iframe)")).toHaveCount(0);
  });
});
