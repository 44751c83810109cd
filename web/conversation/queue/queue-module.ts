import type { Conversation } from "../../chats/state/chats-state.ts";
import { useStore } from "../../store/use-store.ts";
import { lazyModule } from "../../ui/lazy/lazy-module.ts";
import { useChatSession } from "../chat-session.ts";

/** Until it is loaded, a message cannot be submitted while an answer is being written. */
export const queueModule = lazyModule(() => import("./queued-messages.tsx"), "after-chat");

/** Returns a conversation with the questions that the server has refused, once the module is loaded. */
export function useWithRefused(conversation: Conversation | null): Conversation | null {
  const session = useChatSession();
  const queue = useStore(queueModule)?.queueOf(session);
  const shown = () => conversation && (queue?.withRefused(conversation) ?? conversation);
  return useStore({ subscribe: (queue ?? queueModule).subscribe, get: shown });
}
