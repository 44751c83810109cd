import { type MouseEvent, type RefObject, useRef, useState } from "react";

/**
 * Props of the menu: distance in px from the start and the bottom of its button to the pointer that opened it. `sticky`:
 * the menu need not touch the button.
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

/** State of a menu that has a button, and opens as the context menu of the row around it: there by the pointer. */
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
      // A key and a long press dispatch the event without a mouse button.
      const offset = event.button === 2 ? offsetFrom(current, event) : undefined;
      setState({ isOpen: true, wasOpened: true, offset });
    },
  };
}

function offsetFrom(button: HTMLElement, { clientX, clientY }: MouseEvent): PointerOffset {
  const { left, right, bottom } = button.getBoundingClientRect();
  const alignOffset = document.dir === "rtl" ? right - clientX : clientX - left;
  return { alignOffset, sideOffset: clientY - bottom, sticky: "always" };
}
