import { type RefObject, useEffect } from "react";
import { useStore } from "react-redux";
import { currentLink } from "../list-elements.ts";
import { selectAnnouncement } from "../state/chats-selectors.ts";
import { chatEvents } from "../state/chats-slice.ts";
import { type ChatsStore, useChatsSelector } from "../state/chats-store.ts";
import { listenForDragging } from "./drag-chats.ts";
import { listenForMarking } from "./mark-chats.ts";
import { SelectionBar } from "./selection-bar.tsx";

/** What a list of chats can do besides showing them: several are selected, dragged, renamed by keys. */
export function Organiser({ list }: { list: RefObject<HTMLElement | null> }) {
  const store = useStore() as ChatsStore;
  const said = useChatsSelector(selectAnnouncement);
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const ended = new AbortController();
    listenForMarking(element, store, ended.signal);
    listenForDragging(element, store, ended.signal);
    return () => ended.abort();
  }, [list, store]);
  const endSelection = () => {
    store.dispatch(chatEvents.organise({ selection: null }));
    // What had the focus may be gone.
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
