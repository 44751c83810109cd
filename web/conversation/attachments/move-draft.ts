import { Store } from "../../store/store.ts";
import type { ChatSession, SessionKey } from "../chat-session.ts";
import { moveText } from "../stored-drafts.ts";
import { filesModule } from "./files-module.ts";

/** The chat whose draft moves to the temporary chat once its pane is on the screen. */
export const pendingDraftMove: SessionKey<Store<{ chat: string | null } | null>> = {
  create: () => new Store<{ chat: string | null } | null>(null),
};

/**
 * Moves the draft of `chat` to the box of a new chat of another session, between stored chats and the temporary one,
 * unless there is a draft. Its files follow once their bytes are read; those that cannot be read stay.
 */
export function moveDraft(from: ChatSession, chat: string | null, to: ChatSession): void {
  const files = moveText(from.drafts, chat, to.drafts);
  if (files.length === 0) return;
  void filesModule.ask().then((module) => module?.moveFiles({ from, draftKey: chat, files }, { to, draftKey: null }));
}
