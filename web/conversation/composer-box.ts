import { createContext, type RefObject, useCallback, useContext } from "react";
import { hasFinePointer } from "../forms/has-fine-pointer.ts";

type Box = RefObject<HTMLTextAreaElement | null>;

/** The composer's text box, for controls that disappear when they are used. */
export const ComposerBox = createContext<Box>({ current: null });

/** Not on a phone, where it would open the keyboard, unless it `isToWrite`. */
export function takeFocus(box: Box, isToWrite = false): void {
  if (isToWrite || hasFinePointer()) box.current?.focus({ preventScroll: true });
}

/** Returns a function that focuses the box. `isToWrite`: the person has asked to write, so also on a phone. */
export function useFocusOnBox(): (isToWrite?: boolean) => void {
  const box = useContext(ComposerBox);
  return useCallback((isToWrite = false) => takeFocus(box, isToWrite), [box]);
}
