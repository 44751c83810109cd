import type { Locator, Page } from "@playwright/test";
import { expect, expectAccessible } from "./fixtures.ts";

/** What appears has appeared, and colours have changed; what turns without end does not count. */
export async function animationsEnded(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

/** axe's rules about colours: of the two looks nothing else differs. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** axe finds nothing on the page as it is now, in the light and in the dark look. */
export async function expectAccessibleInBothLooks(page: Page): Promise<void> {
  for (const [colorScheme, rules] of [
    ["dark", COLOUR_RULES],
    ["light", []],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await animationsEnded(page);
    await expectAccessible(page, [...rules]);
  }
}

/** As much room as a window of 1280 × 800 has at 200 %: nothing is cut off, and each of the controls can be used. */
export async function expectUsableAtTwiceTheSize(page: Page, controls: Locator[]): Promise<void> {
  await page.setViewportSize({ width: 640, height: 400 });
  await expectNoOverhang(page);
  for (const control of controls) {
    await control.scrollIntoViewIfNeeded();
    await expect(control).toBeInViewport({ ratio: 1 });
    const isOnTop = await control.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const top = document.elementFromPoint(x + width / 2, y + height / 2);
      return top !== null && (element.contains(top) || top.contains(element));
    });
    expect(isOnTop).toBe(true);
  }
}

/** Nothing reaches beyond the window's side. */
export async function expectNoOverhang(page: Page): Promise<void> {
  const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overhang).toBeLessThanOrEqual(0);
}

/** The smallest side of what a finger must hit, in px. */
export async function expectTouchable(scope: Locator): Promise<void> {
  const small = await scope
    .locator("a:visible, button:visible, textarea:visible, input:visible")
    .evaluateAll((targets) =>
      targets
        .filter((target) => !target.closest("p, .reply td, .reply-code pre"))
        .map((target) => ({ target, box: target.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && (box.width < 44 || box.height < 44))
        .map(({ target, box }) => `${box.width}x${box.height} ${target.outerHTML.slice(0, 120)}`),
    );
  expect(small).toEqual([]);
}

/** Tab leads through these and no others, in this order, from where the focus is now; each shows that it has it. */
export async function expectTabOrder(page: Page, controls: Locator[]): Promise<void> {
  for (const control of controls) {
    await page.keyboard.press("Tab");
    await expect(control).toBeFocused();
    await expectFocusVisible(control);
  }
}

export async function expectFocusVisible(control: Locator): Promise<void> {
  const ring = await control.evaluate((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return { outlineStyle, isWide: Number.parseFloat(outlineWidth) >= 2 };
  });
  expect(ring).toEqual({ outlineStyle: "solid", isWide: true });
}

/** How many things on the page move at this moment. */
export const movingThings = (page: Page) =>
  page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === "running").length);
