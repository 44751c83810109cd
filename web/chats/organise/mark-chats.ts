import { isPressed } from "../../ui/keys/shortcuts.ts";
import { runLatestAction } from "../../ui/notifications/notify.ts";
import { chatLines, chatOf, folderAt, lineAt } from "../list/list-elements.ts";
import { chatEvents } from "../state/chats-slice.ts";
import type { ChatsStore } from "../state/chats-store.ts";
import { deleteChats } from "./change-chats.ts";

/**
 * Adds the listeners for selecting chats of a list: a click with Ctrl, ⌘ or Shift begins a selection, further clicks
 * extend it. Keys rename or delete the focused line, and run the latest undo; Escape ends the selection.
 */
export function listenForMarking(list: HTMLElement, store: ChatsStore, signal: AbortSignal): void {
  /** Id of the chat at which a range begins. */
  let start: string | undefined;
  const selected = () => store.getState().chats.selection;
  const select = (selection: string[] | null) => store.dispatch(chatEvents.organise({ selection }));

  /** Returns all selected chats if this is one of them, else this one. */
  const marked = (id: string) => (selected()?.includes(id) ? (selected() ?? []) : [id]);

  const click = (event: MouseEvent) => {
    const line = lineAt(event.target);
    const id = chatOf(line);
    const isOnLink = event.target instanceof Element && event.target.closest("a") !== null;
    const before = selected();
    if (id === undefined || !isOnLink) return;
    if (before === null && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      start = id;
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (event.shiftKey) select([...new Set([...(before ?? []), ...rangeOf(list, start ?? before?.at(-1) ?? id, id)])]);
    else select(before?.includes(id) ? before.filter((other) => other !== id) : [...(before ?? []), id]);
    start = id;
  };

  const press = (event: KeyboardEvent) => {
    const isInField = event.target instanceof HTMLInputElement;
    const id = chatOf(lineAt(event.target));
    const folder = folderAt(event.target);
    if (isInField) return;
    if (isPressed(event, "renameLine") && (id ?? folder) !== undefined) {
      store.dispatch(chatEvents.organise({ renaming: id ?? folder ?? null }));
    } else if (isPressed(event, "deleteLine") && id !== undefined) {
      const chats = marked(id);
      if (event.repeat) return;
      if (selected() !== null) select(null);
      void store.dispatch(deleteChats(chats));
    } else if (!isPressed(event, "undo") || !runLatestAction()) return;
    event.preventDefault();
  };

  const leave = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    const isElsewhere =
      event.target instanceof Element && event.target.closest("[role=menu], [role=dialog] form, input");
    if (isElsewhere || selected() === null) return;
    // The event must not close the drawer: Escape ends only the selection.
    event.preventDefault();
    event.stopPropagation();
    select(null);
  };

  list.addEventListener("click", click, { capture: true, signal });
  list.addEventListener("keydown", press, { signal });
  window.addEventListener("keydown", leave, { capture: true, signal });
}

/** Returns the chats from one line to another, in the order of the list. */
function rangeOf(list: HTMLElement, from: string, to: string): string[] {
  const ids = chatLines(list).flatMap((line) => chatOf(line) ?? []);
  const [first = 0, last = 0] = [ids.indexOf(from), ids.indexOf(to)].sort((a, b) => a - b);
  return first === -1 ? [to] : ids.slice(first, last + 1);
}
