/** What covers less is a bar of the browser's that comes and goes. */
const KEYBOARD_PX = 80;
/** A page that is enlarged by two fingers shows less of itself too. */
const ENLARGED = 1.01;

type Viewport = Pick<VisualViewport, "height" | "scale" | "addEventListener">;

/**
 * Tells the style sheet by `--keyboard` how much of the page a keyboard covers. Most browsers make the page smaller
 * themselves, as the document asks for; Safari on phones lays the keyboard over it, and moves the page up by as much as
 * it likes. A page that does not scroll is put back.
 */
export function followKeyboard(viewport: Viewport | null = window.visualViewport): void {
  if (!viewport) return;
  let before = 0;
  const look = () => {
    const covered = viewport.scale > ENLARGED ? 0 : Math.round(window.innerHeight - viewport.height);
    const keyboard = covered < KEYBOARD_PX ? 0 : covered;
    const { style, scrollHeight } = document.documentElement;
    if (keyboard !== before) style.setProperty("--keyboard", `${keyboard}px`);
    before = keyboard;
    if (keyboard > 0 && scrollHeight <= window.innerHeight) window.scrollTo(0, 0);
  };
  viewport.addEventListener("resize", look);
  viewport.addEventListener("scroll", look);
}
