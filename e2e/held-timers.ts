import type { Page } from "@playwright/test";

declare global {
  interface Window {
    letTimersGo?: () => void;
  }
}

/**
 * Timers of exactly `ms` wait on the page until they are let go, so that what a person sees for that long only can be
 * looked at on a machine of any speed. Call it before the page is loaded.
 */
export async function holdTimers(page: Page, ms: number): Promise<{ letGo: () => Promise<void> }> {
  await page.addInitScript((held) => {
    const start = window.setTimeout;
    const waiting: (() => void)[] = [];
    const hold = (run: () => void, delay?: number) => (delay === held ? waiting.push(run) : start(run, delay));
    Reflect.set(window, "setTimeout", hold);
    window.letTimersGo = () => {
      Reflect.set(window, "setTimeout", start);
      for (const run of waiting) run();
    };
  }, ms);
  return { letGo: () => page.evaluate(() => window.letTimersGo?.()) };
}
