import { chatEvents } from "../state/chats-slice.ts";
import type { ChatsThunk } from "../state/chats-store.ts";

/** Announces an outcome to screen readers through the organiser's live region. */
export function announce(text: string): ChatsThunk<void> {
  return (dispatch, getState) => {
    // A screen reader announces only changes: a no-break space makes a repeated text different.
    const announcement = text === getState().chats.announcement ? `${text}\u00A0` : text;
    dispatch(chatEvents.organise({ announcement }));
  };
}
