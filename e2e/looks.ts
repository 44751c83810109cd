import type { Locator, Page } from "@playwright/test";
import { HANG_MS } from "../testing/app/wait-for.ts";
import { expect, expectAccessible } from "./fixtures.ts";

/** Waits until every finite animation and transition that is rendered has ended. */
export async function animationsEnded(page: Page): Promise<void> {
  // Not `finished`: within content that `content-visibility` skips, the time of a transition stands still.
  await page.waitForFunction(
    () =>
      document.getAnimations().every(({ effect, playState }) => {
        const willEnd = effect?.getComputedTiming().endTime !== Infinity;
        const isRendered =
          effect instanceof KeyframeEffect && effect.target?.checkVisibility({ contentVisibilityAuto: true });
        return !(willEnd && isRendered && playState === "running");
      }),
    undefined,
    { timeout: HANG_MS },
  );
}

/** axe's rules about colours, the only difference between the light and the dark theme. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/**
 * Asserts that axe finds nothing on the current page, in the light and in the dark theme.
 * @param state name of the screen in the error
 */
export async function expectAccessibleInBothLooks(page: Page, state = page.url()): Promise<void> {
  for (const [colorScheme, rules] of [
    ["dark", COLOUR_RULES],
    ["light", []],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await animationsEnded(page);
    await expectAccessible(page, rules, `${state}, ${colorScheme}`);
  }
}

/** Asserts that nothing is cut off and each control is usable in the space of a 1280 × 800 window at 200 % zoom. */
export async function expectUsableAtTwiceTheSize(page: Page, controls: Locator[]): Promise<void> {
  await page.setViewportSize({ width: 640, height: 400 });
  await expectNoOverhang(page);
  for (const control of controls) {
    await control.scrollIntoViewIfNeeded();
    // Positions are fractions of a pixel, but the page scrolls by whole ones.
    await expect(control).toBeInViewport({ ratio: 0.98 });
    const isOnTop = await control.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const top = document.elementFromPoint(x + width / 2, y + height / 2);
      return top !== null && (element.contains(top) || top.contains(element));
    });
    expect(isOnTop).toBe(true);
  }
}

/** Asserts that nothing extends beyond the right edge of the window, and that in a chat only its messages scroll. */
export async function expectNoOverhang(page: Page): Promise<void> {
  const overhang = await page.evaluate(() => {
    const { scrollWidth, scrollHeight, clientHeight } = document.documentElement;
    const isInChat = document.querySelector(".chat-frame") !== null;
    return { right: scrollWidth - window.innerWidth, below: isInChat ? scrollHeight - clientHeight : 0 };
  });
  expect(overhang.right).toBeLessThanOrEqual(0);
  expect(overhang.below).toBeLessThanOrEqual(0);
}

/** Asserts that every touch target is at least 44 × 44 px; 1 px wide targets are for screen readers and are skipped. */
export async function expectTouchable(scope: Locator): Promise<void> {
  const small = await scope
    .locator("a:visible, button:visible, textarea:visible, input:visible")
    .evaluateAll((targets) =>
      targets
        .filter((target) => !target.closest("p, .reply td, .reply-code pre"))
        .map((target) => ({ target, box: target.getBoundingClientRect() }))
        // In a drawer that slides, sizes of 44 px are measured as 43.99998 px.
        .filter(({ box }) => box.width > 1 && Math.min(box.width, box.height) < 43.99)
        .map(({ target, box }) => `${box.width}x${box.height} ${target.outerHTML.slice(0, 120)}`),
    );
  expect(small).toEqual([]);
}

/** Asserts that Tab moves from the current focus through exactly these controls in this order, each with focus ring. */
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

/** Returns the number of running animations. */
export const movingThings = (page: Page) =>
  page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === "running").length);

/** Asserts that no text is clipped or overflows its control, no control is covered and the page does not overhang. */
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
    // In a line of the sidebar the buttons cover the end of the title, which fades out.
    const covered = controls
      .filter((each) => !each.matches("[data-chat] a"))
      .filter((each) => {
        // Scrolls as focus does: a sticky element must not cover the focused control.
        each.scrollIntoView({ block: "nearest" });
        const { x, y, width, height } = each.getBoundingClientRect();
        const [centre, middle] = [x + width / 2, y + height / 2];
        // A control that is scrolled out of view cannot be covered.
        for (let around = each.parentElement; around; around = around.parentElement) {
          const edge = around.getBoundingClientRect();
          const isOut = centre < edge.left || centre > edge.right || middle < edge.top || middle > edge.bottom;
          if (isOut && getComputedStyle(around).overflowY !== "visible") return false;
        }
        const top = document.elementFromPoint(centre, middle);
        const isInFront = top === null || each.contains(top) || top.contains(each) || top.matches("label");
        // Controls behind a dialog are inert or hidden, so covering them is correct.
        return !isInFront && !each.closest("[aria-hidden=true], [inert]");
      })
      .map((each) => name("covered", each));
    return [...cut, ...spilt, ...covered];
  });
  expect(broken).toEqual([]);
}
