import type { ChatSession } from "../chat-session.ts";
import { rememberBranch } from "./remembered-branches.ts";

type Wish = { chat: string; message: string; model: string };

/** Has another answer written beside this one, or in its place where there are no branches. */
export function regenerate(
  { store, replies, branches }: Pick<ChatSession, "store" | "replies" | "branches">,
  { chat, message, model }: Wish,
): void {
  if (branches) rememberBranch(store, chat);
  void replies.answer(chat, "regenerate", model, message);
}
