import { type RefObject, useEffect } from "react";
import { useStore } from "react-redux";
import { currentLink } from "../list/list-elements.ts";
import { selectAnnouncement } from "../state/chats-selectors.ts";
import { chatEvents } from "../state/chats-slice.ts";
import { type ChatsStore, useChatsSelector } from "../state/chats-store.ts";
import { listenForDragging } from "./drag-chats.ts";
import { listenForLongPress } from "./long-press.ts";
import { listenForMarking } from "./mark-chats.ts";
import { SelectionBar } from "./selection-bar.tsx";

/** Adds selection, drag and drop, long presses and shortcuts to a list of chats, and renders its live region. */
export function Organiser({ list }: { list: RefObject<HTMLElement | null> }) {
  const store = useStore() as ChatsStore;
  const said = useChatsSelector(selectAnnouncement);
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const ended = new AbortController();
    listenForMarking(element, store, ended.signal);
    listenForLongPress(element, ended.signal);
    listenForDragging(element, store, ended.signal);
    return () => ended.abort();
  }, [list, store]);
  const endSelection = () => {
    store.dispatch(chatEvents.organise({ selection: null }));
    // The focused element may have been removed.
    if (list.current) currentLink(list.current)?.focus({ preventScroll: true });
  };
  return (
    <>
      <p role="status" className="sr-only">
        {said}
      </p>
      <SelectionBar onEnd={endSelection} />
    </>
  );
}
