import { useStore } from "../../store/use-store.ts";
import type { Draft } from "../draft.ts";
import type { DraftBox } from "../stored-drafts.ts";

/** Returns the draft in the box of a chat (null: of the chat that is not created yet). */
export function useDraft(drafts: DraftBox, chat: string | null): Draft {
  return useStore({ subscribe: drafts.subscribe, get: () => drafts.get(chat) });
}
