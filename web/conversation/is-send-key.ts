import type { KeyboardEvent } from "react";
import { isComposing } from "../ui/keys/press.ts";

/**
 * Whether a key sends: Enter, or by a setting (`ui/appearance/appearance.ts`) Ctrl or Command with it. Any other Enter
 * inserts a line break.
 */
export const isSendKey = (event: KeyboardEvent): boolean =>
  event.key === "Enter" &&
  !event.shiftKey &&
  !isComposing(event.nativeEvent) &&
  (document.documentElement.dataset.send === undefined || event.ctrlKey || event.metaKey);
