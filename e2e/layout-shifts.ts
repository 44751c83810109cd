import type { Page } from "@playwright/test";

/** Records the layout shifts of words of messages that no input has caused, from the next page load. */
export async function watchShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] };
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
        const moved = sources.flatMap(({ node }) => (node instanceof Element ? node : (node?.parentElement ?? [])));
        // The buttons of an answer load one by one, and their row follows the words that arrive.
        const messages = moved.filter(
          (element) => element.closest("main section") && element.textContent.trim() !== "",
        );
        const texts = messages.map(({ outerHTML }) => outerHTML.slice(0, 80));
        if (messages.length > 0 && !hadRecentInput) shifts.push(`${value.toFixed(4)}: ${texts.join(", ")}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
}
