import { useLayoutEffect, useRef } from "react";

/**
 * Returns a close handler that restores the focus to the button that opened the dialog. Radix does so only for its own
 * trigger; otherwise the focus falls back to the body, and keyboard users lose their position. If the button was
 * removed with its list item, the item beside it takes the focus.
 */
export function useReturnFocus(isOpen: boolean): (event: Event) => void {
  const opener = useRef<Element | null>(null);
  const linesBeside = useRef<(Element | null)[]>([]);
  // Children take the focus in passive effects, so this is still the element that opened the dialog.
  useLayoutEffect(() => {
    if (!isOpen) return;
    opener.current = document.activeElement;
    const line = opener.current?.closest("li");
    linesBeside.current = [line?.nextElementSibling ?? null, line?.previousElementSibling ?? null];
  }, [isOpen]);
  return (event) => {
    event.preventDefault();
    const isThere = opener.current?.isConnected ?? false;
    const beside = linesBeside.current.find((line) => line?.isConnected)?.querySelector("a, button") ?? null;
    const target = isThere ? opener.current : beside;
    // The code that closed the dialog may have focused another element, such as the box of the chosen chat. Focus on an
    // ancestor of the target, such as the body or a drawer's focus trap, was not chosen.
    const isChosen = document.activeElement !== null && !document.activeElement.contains(target);
    if (target instanceof HTMLElement && !isChosen) target.focus();
  };
}
