import type { ChatSession } from "../chat-session.ts";
import { rememberBranch } from "./remembered-branches.ts";

type RegenerateRequest = { chat: string; message: string; model: string };

/** Requests another answer beside this one, or replacing it if there are no branches. */
export function regenerate(
  { store, replies, branches }: Pick<ChatSession, "store" | "replies" | "branches">,
  { chat, message, model }: RegenerateRequest,
): void {
  if (branches) rememberBranch(store, chat);
  void replies.answer(chat, "regenerate", model, message);
}
