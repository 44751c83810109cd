/** A chat that goes to another part of the list takes the focus along. */
export function focusLine(chat: string): void {
  requestAnimationFrame(() => {
    // After the menu that did it has closed, which gives the focus to a button that is gone.
    requestAnimationFrame(() => lineOf(chat)?.querySelector("a")?.focus({ preventScroll: true }));
  });
}

/** The line of a chat in the list that is on the screen: the drawer of a phone stands beside a hidden one. */
export function lineOf(chat: string): HTMLElement | undefined {
  const lines = document.querySelectorAll<HTMLElement>(`[data-chat="${CSS.escape(chat)}"]`);
  return [...lines].find((line) => line.offsetParent !== null);
}
