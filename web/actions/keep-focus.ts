import { takeFocus } from "../conversation/composer-box.ts";
import { isOverlaid } from "../ui/dialogs/is-overlaid.ts";
import type { ActionContext } from "./action-context.ts";

/** What had the focus may go with what is done: then the box takes it. */
export function keepFocus({ box }: Pick<ActionContext, "box">): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body && !isOverlaid()) takeFocus(box);
  });
}
