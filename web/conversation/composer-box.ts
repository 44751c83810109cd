import { createContext, type RefObject, useCallback, useContext } from "react";

type Box = RefObject<HTMLTextAreaElement | null>;

/** The composer's text box, for controls that disappear when they are used. */
export const ComposerBox = createContext<Box>({ current: null });

/** Not on a phone, where it would open the keyboard. */
export function takeFocus(box: Box): void {
  if (window.matchMedia("(pointer: fine)").matches) box.current?.focus({ preventScroll: true });
}

/** Returns a function that focuses the box. */
export function useFocusOnBox(): () => void {
  const box = useContext(ComposerBox);
  return useCallback(() => takeFocus(box), [box]);
}
