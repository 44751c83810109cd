import type { ChatSession } from "../chat-session.ts";
import { rememberBranch } from "./remembered-branches.ts";

type RegenerateRequest = { chat: string; message: string; model: string };

/** Requests another answer beside this one, or replacing it if there are no branches. */
export function regenerate(
  session: Pick<ChatSession, "store" | "replies" | "branches" | "get">,
  { chat, message, model }: RegenerateRequest,
): void {
  if (session.branches) rememberBranch(session, chat);
  void session.replies.answer(chat, "regenerate", model, message);
}
