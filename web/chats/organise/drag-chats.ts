import { chatOf, dropTargetAt, lineAt } from "../list/list-elements.ts";
import { chatEvents } from "../state/chats-slice.ts";
import type { ChatsStore } from "../state/chats-store.ts";
import { changeChats, type LocationChange } from "./change-chats.ts";

const TYPE = "application/x-parley-chats";

/** Returns the change for a drop target: `pinned`, `days`, or `folder:` and an id. */
function changeOf(target: string): LocationChange {
  if (target === "pinned") return { isPinned: true };
  if (target === "days") return { isPinned: false, folderId: null };
  return { isPinned: false, folderId: target.slice("folder:".length) };
}

/** Adds drag and drop of chats onto a folder, Pinned or the days; a selected chat drags the whole selection. */
export function listenForDragging(list: HTMLElement, store: ChatsStore, signal: AbortSignal): void {
  let dragged: string[] = [];
  let marked: HTMLElement | null = null;

  const mark = (target: HTMLElement | null) => {
    if (target === marked) return;
    marked?.removeAttribute("data-drop-here");
    target?.setAttribute("data-drop-here", "");
    marked = target;
  };
  const end = () => {
    mark(null);
    dragged = [];
    list.removeAttribute("data-dragging");
  };

  const begin = (event: DragEvent) => {
    const id = chatOf(lineAt(event.target));
    if (id === undefined || !event.dataTransfer) return;
    const { selection } = store.getState().chats;
    dragged = selection?.includes(id) ? selection : [id];
    event.dataTransfer.setData(TYPE, dragged.join(" "));
    event.dataTransfer.effectAllowed = "copyMove";
    // Chromium cancels a drag if the DOM around it changes during `dragstart`.
    setTimeout(() => dragged.length > 0 && list.setAttribute("data-dragging", ""));
  };
  const over = (event: DragEvent) => {
    if (dragged.length === 0) return;
    const target = dropTargetAt(event.target);
    mark(target);
    if (!target) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "move";
  };
  const drop = (event: DragEvent) => {
    const target = dropTargetAt(event.target)?.dataset.drop;
    const ids = dragged;
    end();
    if (target === undefined || ids.length === 0) return;
    event.preventDefault();
    void store.dispatch(changeChats(ids, changeOf(target)));
    store.dispatch(chatEvents.organise({ selection: null }));
  };

  list.addEventListener("dragstart", begin, { signal });
  list.addEventListener("dragover", over, { signal });
  list.addEventListener("dragleave", (event) => !list.contains(event.relatedTarget as Node | null) && mark(null), {
    signal,
  });
  list.addEventListener("drop", drop, { signal });
  // Also fired when a drag is cancelled.
  list.addEventListener("dragend", end, { signal });
}
