import { chatEvents } from "../state/chats-slice.ts";
import type { ChatsThunk } from "../state/chats-store.ts";

/** What was done, for those who do not see it: read out by the region that the organiser keeps for it. */
export function announce(text: string): ChatsThunk<void> {
  return (dispatch, getState) => {
    // The same words twice are two outcomes; a reader speaks only of what changes.
    const announcement = text === getState().chats.announcement ? `${text}\u00A0` : text;
    dispatch(chatEvents.organise({ announcement }));
  };
}
