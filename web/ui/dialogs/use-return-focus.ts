import { useLayoutEffect, useRef } from "react";

/**
 * For dialogs that a button elsewhere opens: gives the focus back to it. Radix does so only for a trigger of its own;
 * without one the focus would be lost to the page, and with it the place of those who use the keyboard. A button in a
 * line of a list may have gone with its line meanwhile: then the line beside it takes the focus.
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
    // Who closed it may have put the focus somewhere already: into the box of the chat that was chosen. What stands
    // around the target, such as the page or a drawer that caught the focus, was nobody's choice.
    const isChosen = document.activeElement !== null && !document.activeElement.contains(target);
    if (target instanceof HTMLElement && !isChosen) target.focus();
  };
}
