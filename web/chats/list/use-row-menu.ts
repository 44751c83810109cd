import { type MouseEvent, type RefObject, useRef, useState } from "react";

/** Distance (px) of the menu from the start of a row that was pressed long. */
const INDENT = 16;

/**
 * Props of the menu: distance in px from the start and the bottom of its button to where it opens. `sticky`: the menu
 * need not touch the button.
 */
export type PointerOffset = { alignOffset: number; sideOffset: number; sticky: "always" };

export type RowMenu = {
  button: RefObject<HTMLButtonElement | null>;
  wasOpened: boolean;
  isOpen: boolean;
  /** Undefined if a button or a key opened the menu. */
  offset?: PointerOffset | undefined;
  setOpen: (isOpen: boolean) => void;
  /** Closes a menu that could not be loaded. */
  reset: () => void;
  /** For the row around the button. */
  onContextMenu: (event: MouseEvent) => void;
};

const unused = { isOpen: false, wasOpened: false };

/**
 * State of a menu that has a button, and opens as the context menu of the row around it: at the pointer, or after a long
 * press below the row.
 */
export function useRowMenu(): RowMenu {
  const button = useRef<HTMLButtonElement>(null);
  const [state, setState] = useState<Pick<RowMenu, "isOpen" | "wasOpened" | "offset">>(unused);
  return {
    ...state,
    button,
    setOpen: (isOpen) => setState(({ wasOpened }) => ({ isOpen, wasOpened: wasOpened || isOpen })),
    reset: () => setState(unused),
    onContextMenu: (event) => {
      const { current } = button;
      // The menu itself is a child in React's tree only. While a name is edited, there is no button.
      if (!current || !(event.target instanceof Node) || !event.currentTarget.contains(event.target)) return;
      event.preventDefault();
      setState({ isOpen: true, wasOpened: true, offset: offsetFrom(current, event) });
    },
  };
}

/** Returns undefined for a key, which dispatches the event without a pointer. */
function offsetFrom(button: HTMLElement, event: MouseEvent): PointerOffset | undefined {
  const { nativeEvent } = event;
  const { left, right, bottom } = button.getBoundingClientRect();
  const row = event.currentTarget.getBoundingClientRect();
  const isRtl = document.dir === "rtl";
  const sticky = "always";
  if (nativeEvent instanceof PointerEvent && nativeEvent.pointerType === "touch") {
    const alignOffset = (isRtl ? right - row.right : row.left - left) + INDENT;
    return { alignOffset, sideOffset: row.bottom - bottom, sticky };
  }
  if (event.button !== 2) return;
  const { clientX, clientY } = event;
  return { alignOffset: isRtl ? right - clientX : clientX - left, sideOffset: clientY - bottom, sticky };
}
