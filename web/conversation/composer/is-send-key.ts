import type { KeyboardEvent } from "react";
import { isComposing } from "../../ui/keys/press.ts";
import { enterSends } from "../../ui/keys/shortcuts.ts";

/** Whether a key sends: Enter, or always Ctrl or Command with it. Any other Enter inserts a line break. */
export const isSendKey = (event: KeyboardEvent): boolean =>
  event.key === "Enter" &&
  !event.shiftKey &&
  !isComposing(event.nativeEvent) &&
  (enterSends() || event.ctrlKey || event.metaKey);
