import type { Page } from "@playwright/test";

declare global {
  interface Window {
    letTimersGo?: () => void;
  }
}

/**
 * Holds timers of exactly `ms` until `letGo`, so that a test can check a temporary state on a machine of any speed.
 * Must be called before the page loads.
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
