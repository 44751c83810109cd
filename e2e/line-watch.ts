import type { Page } from "@playwright/test";

/**
 * Notes where a line of the conversation is painted, at every frame from now on. It is looked at when all else that
 * observes sizes has done its work: nothing can move any more before it is painted.
 * @returns what tells how far (px) it was from where it was at first, at most, since that was last asked
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
      // None at all: it was not looked at.
      return Math.max(...(moves.length > 0 ? moves.map(Math.abs) : [Number.POSITIVE_INFINITY]));
    });
}
