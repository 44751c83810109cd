import { createContext, type RefObject, useCallback, useContext } from "react";

type Box = RefObject<HTMLTextAreaElement | null>;

/** The box that is written in, for those whose own control goes away as it is used. */
export const ComposerBox = createContext<Box>({ current: null });

/** Not on a phone, where it would bring up the keyboard. */
export function takeFocus(box: Box): void {
  if (window.matchMedia("(pointer: fine)").matches) box.current?.focus({ preventScroll: true });
}

/** Puts the focus into the box. */
export function useFocusOnBox(): () => void {
  const box = useContext(ComposerBox);
  return useCallback(() => takeFocus(box), [box]);
}
