/** Lazy module: the one tooltip of the page. */

import { type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import actions from "../../locales/en/actions.json";
import { registerTexts } from "../../locales/i18n.ts";
import { useStore } from "../../store/use-store.ts";
import { Keys } from "../keys/keys.tsx";
import { isSign } from "../keys/press.ts";
import { keysNow, type ShortcutId } from "../keys/shortcuts.ts";
import { areSignsOn } from "../keys/sign-keys.ts";
import { type ShownTooltip, TooltipController } from "./tooltip-controller.ts";
import { tooltipPosition } from "./tooltip-position.ts";

// For the names of keys.
registerTexts("actions", actions);

type LayerProps = { loadedBy: "pointer" | "key" | null; pressedAt: RefObject<PointerEvent | null> };

/**
 * The control that the Tab key reached, or on which the pointer rests, has the first tooltip. `pressedAt`: the last press
 * while the layer was loading; the element under it gets none.
 */
export default function TooltipLayer({ loadedBy, pressedAt }: LayerProps) {
  const box = useRef<HTMLDivElement>(null);
  const [controller] = useState(() => new TooltipController(box));
  const isByKey = loadedBy === "key";
  useEffect(() => controller.listen(isByKey, pressedAt.current), [controller, isByKey, pressedAt]);
  const shown = useStore(controller.shown);
  return shown && <Tooltip box={box} shown={shown} onGone={controller.hide} />;
}

type TooltipProps = { box: RefObject<HTMLDivElement | null>; shown: ShownTooltip; onGone: () => void };

function Tooltip({ box, shown, onGone }: TooltipProps) {
  const { anchor, text, shortcut } = shown;
  const id = useId();
  // In the top layer it is above dialogs; older browsers have its z-index.
  useLayoutEffect(() => box.current?.showPopover?.(), [box]);
  useLayoutEffect(() => {
    if (box.current) positionTooltip(box.current, shown);
    // An element that is removed is resized to nothing.
    const observer = new ResizeObserver(() => !anchor.isConnected && onGone());
    observer.observe(anchor);
    return () => observer.disconnect();
  }, [box, shown, anchor, onGone]);
  const isName = nameOf(anchor).toLowerCase().includes(text.toLowerCase());
  useLayoutEffect(() => (isName ? undefined : addDescription(anchor, id)), [anchor, id, isName]);
  const press = shortcut && pressOf(shortcut);
  return (
    <div
      ref={box}
      id={id}
      role="tooltip"
      // A screen reader has read the name already, or reads the description at the control.
      aria-hidden="true"
      popover="manual"
      className="pointer-events-auto fixed inset-auto z-50 m-0 flex w-max max-w-[min(18rem,calc(100vw-1rem))] animate-fade items-center gap-2 rounded-control border border-hairline bg-raised px-2 py-1 text-ink text-xs leading-interface shadow-float before:absolute before:-inset-2 before:-z-1"
      // A press on it is none outside of an open dialog.
      onPointerDown={(event) => event.stopPropagation()}
    >
      <span dir="auto" className="min-w-0 text-pretty [overflow-wrap:anywhere]">
        {text}
      </span>
      {press && <Keys press={press} />}
    </div>
  );
}

function positionTooltip(box: HTMLElement, { anchor, isBeside }: ShownTooltip): void {
  // A text in a line of a list: beside the line, not over its buttons.
  const line = isBeside ? (anchor.closest("a, button") ?? anchor) : anchor;
  const { left, top } = tooltipPosition(
    line.getBoundingClientRect(),
    { width: box.offsetWidth, height: box.offsetHeight },
    { width: document.documentElement.clientWidth, height: document.documentElement.clientHeight },
    { isBeside, isRightToLeft: document.dir === "rtl" },
  );
  box.style.left = `${left}px`;
  box.style.top = `${top}px`;
}

const nameOf = (anchor: HTMLElement) => anchor.getAttribute("aria-label") ?? anchor.textContent;

/** Adds the tooltip to the descriptions of an element. Returns the function that removes it. */
function addDescription(anchor: HTMLElement, id: string): () => void {
  const others = () => (anchor.getAttribute("aria-describedby") ?? "").split(" ").filter((each) => each && each !== id);
  const write = (ids: string[]) => {
    if (ids.length > 0) anchor.setAttribute("aria-describedby", ids.join(" "));
    else anchor.removeAttribute("aria-describedby");
  };
  write([...others(), id]);
  return () => write(others());
}

/** Returns the first key of a shortcut that is switched on. */
const pressOf = (shortcut: ShortcutId) => keysNow(shortcut).find((press) => !isSign(press) || areSignsOn());
