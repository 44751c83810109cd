import type { Page } from "@playwright/test";

/**
 * Records the position of a line of the conversation at every frame from now on. A ResizeObserver added last reads it:
 * all other observers have run by then, so nothing can move before the paint.
 * @returns a function that returns the largest distance (px) from the first position since its last call
 */
export async function watchLine(page: Page, text: string): Promise<() => Promise<number>> {
  await page.evaluate((wanted) => {
    const texts = document.createTreeWalker(
      document.querySelector("main section ol") ?? document,
      NodeFilter.SHOW_TEXT,
    );
    while (texts.nextNode() && !texts.currentNode.textContent?.includes(wanted));
    const line = document.createRange();
    line.selectNodeContents(texts.currentNode);
    const place = () => Math.round(line.getBoundingClientRect().top * 10) / 10;
    const watch = { first: place(), moves: new Set<number>() };
    Object.assign(window, { lineWatch: watch });
    const probe = document.body.appendChild(document.createElement("i"));
    Object.assign(probe.style, { position: "fixed", insetBlockStart: "0", width: "1px", height: "1px" });
    new ResizeObserver(() => watch.moves.add(Math.round((place() - watch.first) * 10) / 10)).observe(probe);
    const beat = () => {
      probe.style.width = probe.style.width === "1px" ? "2px" : "1px";
      requestAnimationFrame(beat);
    };
    beat();
  }, text);
  return () =>
    page.evaluate(() => {
      const { lineWatch } = window as unknown as { lineWatch: { moves: Set<number> } };
      const moves = [...lineWatch.moves];
      lineWatch.moves.clear();
      // Without any record the line was not observed, which must fail.
      return Math.max(...(moves.length > 0 ? moves.map(Math.abs) : [Number.POSITIVE_INFINITY]));
    });
}
