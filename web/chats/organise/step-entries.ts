import type { KeyboardEvent } from "react";
import { keysOfMenu } from "../../locales/direction.ts";
import { isApple } from "../../ui/keys/press.ts";
import { isPressed } from "../../ui/keys/shortcuts.ts";
import { adjacentControl, adjacentEntry, firstOrLastEntry, folderAround } from "../list/list-elements.ts";

/**
 * Moves the focus within a list of chats: up, down, Home and End between its entries; the arrow keys across to the
 * buttons of a line and back, and from a chat to its folder. Opens the menu of a line in browsers that have no key for it.
 */
export function stepEntries(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget: list, target } = event;
  // Browsers on Apple's systems have no key for the context menu.
  if (isApple() && isPressed(event.nativeEvent, "lineMenu")) {
    target.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true }));
    return;
  }
  const isHeld = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
  // An open menu is a child in React's tree only.
  const isInside = target instanceof Node && list.contains(target) && !(target instanceof HTMLInputElement);
  if (event.defaultPrevented || isHeld || !isInside) return;
  const { into, out } = keysOfMenu();
  const { key } = event;
  if (key === "ArrowDown" || key === "ArrowUp") focus(event, adjacentEntry(list, target, key === "ArrowDown"));
  else if (key === "Home" || key === "End") focus(event, firstOrLastEntry(list, key === "End"));
  else if (key === into) focus(event, adjacentControl(target, true));
  else if (key === out) focus(event, adjacentControl(target, false) ?? folderAround(target));
}

function focus(event: KeyboardEvent, element: Node | null | undefined): void {
  // Also at the end of the list: the key must not scroll it.
  event.preventDefault();
  if (element instanceof HTMLElement) element.focus();
}
