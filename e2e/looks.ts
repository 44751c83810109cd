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

/** Whatever a finger may hit is 44 px wide and high at least; what is there for the ear alone, a pixel wide, is not hit. */
export async function expectTouchable(scope: Locator): Promise<void> {
  const small = await scope
    .locator("a:visible, button:visible, textarea:visible, input:visible")
    .evaluateAll((targets) =>
      targets
        .filter((target) => !target.closest("p, .reply td, .reply-code pre"))
        .map((target) => ({ target, box: target.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 1 && (box.width < 44 || box.height < 44))
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

/** Nothing reaches beyond the side, no words are cut off at their foot or spill out of their control, no control is covered. */
export async function expectWhole(page: Page): Promise<void> {
  await animationsEnded(page);
  await expectNoOverhang(page);
  const broken = await page.evaluate(() => {
    const isSeen = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const isDrawn = ({ clientWidth, clientHeight }: Element) => clientWidth > 1 && clientHeight > 1;
    const name = (why: string, element: Element) => `${why}: ${element.outerHTML.slice(0, 160)}`;
    const seen = [...document.querySelectorAll("body *")].filter((each) => isSeen(each) && isDrawn(each));
    const isClipping = (element: Element) => ["hidden", "clip"].includes(getComputedStyle(element).overflowY);
    const cut = seen
      .filter((each) => isClipping(each) && each.scrollHeight > each.clientHeight + 1 && each.textContent?.trim())
      .map((each) => name("cut off", each));
    const controls = seen.filter((each) => each.matches("button, a, summary, select, input, textarea"));
    const spilt = controls
      .filter((each) => each.matches("button, a") && each.scrollWidth > each.clientWidth + 1)
      .map((each) => name("spilt", each));
    // In a line of the list of chats what can be done lies over the end of the title, which fades.
    const covered = controls
      .filter((each) => !each.matches("[data-chat] a"))
      .filter((each) => {
        // As the focus does: what lies over the end of what scrolls must not lie over what is reached.
        each.scrollIntoView({ block: "nearest" });
        const { x, y, width, height } = each.getBoundingClientRect();
        const [centre, middle] = [x + width / 2, y + height / 2];
        // What is scrolled out of sight is covered by nothing.
        for (let around = each.parentElement; around; around = around.parentElement) {
          const edge = around.getBoundingClientRect();
          const isOut = centre < edge.left || centre > edge.right || middle < edge.top || middle > edge.bottom;
          if (isOut && getComputedStyle(around).overflowY !== "visible") return false;
        }
        const top = document.elementFromPoint(centre, middle);
        const isInFront = top === null || each.contains(top) || top.contains(each) || top.matches("label");
        // What lies behind a dialog is hidden from everybody.
        return !isInFront && !each.closest("[aria-hidden=true], [inert]");
      })
      .map((each) => name("covered", each));
    return [...cut, ...spilt, ...covered];
  });
  expect(broken).toEqual([]);
}
