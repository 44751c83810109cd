import type { KeyboardEvent } from "react";

/** Keys that compose a character are not ours (229: browsers that tell it late). */
export const isComposing = ({ nativeEvent, keyCode }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || keyCode === 229;

/** Enter, or by a setting (`ui/appearance.ts`) Ctrl or Command with it; any other Enter begins a new line. */
export const isSendKey = (event: KeyboardEvent): boolean =>
  event.key === "Enter" &&
  !event.shiftKey &&
  !isComposing(event) &&
  (document.documentElement.dataset.send === undefined || event.ctrlKey || event.metaKey);
