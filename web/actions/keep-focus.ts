import { takeFocus } from "../conversation/composer-box.ts";
import { isOverlaid } from "../ui/dialogs/is-overlaid.ts";
import type { ActionContext } from "./action-context.ts";

/** Focuses the box if an action removed the focused element. */
export function keepFocus({ box }: Pick<ActionContext, "box">): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body && !isOverlaid()) takeFocus(box);
  });
}
