/** Smallest covered height (px) that counts as a keyboard; less is a browser bar that appears and disappears. */
const KEYBOARD_PX = 80;
/** Scale above which the page is pinch-zoomed, which shrinks the visual viewport too. */
const ENLARGED = 1.01;

type Viewport = Pick<VisualViewport, "height" | "scale" | "addEventListener">;

/**
 * Sets `--keyboard` to the height of the page that a virtual keyboard covers. Most browsers resize the page themselves,
 * as the viewport meta element requests. Safari on phones overlays the keyboard and scrolls the page up by an arbitrary
 * amount; a page that is not scrollable is scrolled back.
 */
export function followKeyboard(viewport: Viewport | null = window.visualViewport): void {
  if (!viewport) return;
  let before = 0;
  const update = () => {
    const covered = viewport.scale > ENLARGED ? 0 : Math.round(window.innerHeight - viewport.height);
    const keyboard = covered < KEYBOARD_PX ? 0 : covered;
    const { style, scrollHeight } = document.documentElement;
    if (keyboard !== before) style.setProperty("--keyboard", `${keyboard}px`);
    before = keyboard;
    if (keyboard > 0 && scrollHeight <= window.innerHeight) window.scrollTo(0, 0);
  };
  viewport.addEventListener("resize", update);
  viewport.addEventListener("scroll", update);
}
