import { isPressed } from "../../ui/keys/shortcuts.ts";
import { runLatestAction } from "../../ui/notifications/notify.ts";
import { chatLines, chatOf, folderAt, lineAt } from "../list-elements.ts";
import { chatEvents } from "../state/chats-slice.ts";
import type { ChatsStore } from "../state/chats-store.ts";
import { deleteChats } from "./change-chats.ts";

/**
 * Clicks and keys by which chats of a list are selected: with Ctrl, ⌘ or Shift a click begins, and then every click on a
 * line goes on. Keys rename and delete the line with the focus and undo what can be undone; Escape ends the selection.
 */
export function listenForMarking(list: HTMLElement, store: ChatsStore, signal: AbortSignal): void {
  /** From where a range goes. */
  let start: string | undefined;
  const selected = () => store.getState().chats.selection;
  const select = (selection: string[] | null) => store.dispatch(chatEvents.organise({ selection }));

  /** All that are selected where this is one of them. */
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
    // A drawer stays open: only the selection ends.
    event.preventDefault();
    event.stopPropagation();
    select(null);
  };

  list.addEventListener("click", click, { capture: true, signal });
  list.addEventListener("keydown", press, { signal });
  window.addEventListener("keydown", leave, { capture: true, signal });
}

/** The chats from one line to another, as they stand in the list. */
function rangeOf(list: HTMLElement, from: string, to: string): string[] {
  const ids = chatLines(list).flatMap((line) => chatOf(line) ?? []);
  const [first = 0, last = 0] = [ids.indexOf(from), ids.indexOf(to)].sort((a, b) => a - b);
  return first === -1 ? [to] : ids.slice(first, last + 1);
}
