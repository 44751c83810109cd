import { type RefObject, useContext } from "react";
import { useNavigate } from "react-router";
import {
  selectCurrent,
  selectFirstMessage,
  selectIsOpening,
  selectMarkedChat,
} from "../chats/state/chats-selectors.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import type { ChatDialog, Conversation } from "../chats/state/chats-state.ts";
import { type ChatSession, useChatSession } from "../conversation/chat-session.ts";
import { ComposerBox } from "../conversation/composer-box.ts";
import { temporarySession } from "../conversation/temporary/temporary-session.ts";
import { useGoToPage, useGoToSettings } from "../ui/use-go-to-settings.ts";

export type ActionsProps = {
  /** Kind of page: the chats, the temporary chat, or a page without a chat. */
  page: "chats" | "temporary" | "other";
  onLogout: () => void;
  /** Called when a chat was chosen or begun, so that a drawer closes. */
  onChosen: () => void;
};

/** The state and commands that an action works on, read when it runs. */
export type ActionContext = {
  /** Session of the current chat, which may be the temporary one. */
  session: ChatSession;
  /** Session of the listed chats; differs from {@link session} on the page of the temporary chat. */
  storedSession: ChatSession;
  /** Whether this is the page of the chats: other pages show no chat. */
  hasChats: boolean;
  /** Id of the current chat; null if there is none yet. */
  chat: string | null;
  /** Conversation of the current chat, if loaded. */
  conversation: Conversation | null;
  isWriting: boolean;
  /** The box for the next message. */
  box: RefObject<HTMLTextAreaElement | null>;
  go: (address: string) => void;
  /** Goes to a page that has a link back to this one. */
  goTo: ReturnType<typeof useGoToPage>;
  goToSettings: ReturnType<typeof useGoToSettings>;
  /** Opens a dialog; null closes the open one. */
  open: (dialog: ChatDialog | null) => void;
  signOut: () => void;
  /** Closes the list of chats if it is a drawer. */
  leaveList: () => void;
};

/** @returns a function that reads the current context; called when an action runs */
export function useActionContext({ page, onLogout, onChosen }: ActionsProps): () => ActionContext {
  const storedSession = useChatSession();
  const navigate = useNavigate();
  const goTo = useGoToPage();
  const goToSettings = useGoToSettings();
  const box = useContext(ComposerBox);
  return () => {
    const session = page === "temporary" ? temporarySession(storedSession) : storedSession;
    return {
      session,
      storedSession,
      ...(page === "other" ? noChat : onScreen(session)),
      box,
      go: (address) => void navigate(address),
      goTo,
      goToSettings,
      open: (dialog) => void storedSession.store.dispatch(chatEvents.organise({ dialog })),
      signOut: onLogout,
      leaveList: onChosen,
    };
  };
}

type OnScreen = Pick<ActionContext, "hasChats" | "chat" | "conversation" | "isWriting">;

const noChat: OnScreen = { hasChats: false, chat: null, conversation: null, isWriting: false };

function onScreen({ store }: ChatSession): OnScreen {
  const root = store.getState();
  const conversation = selectCurrent(root);
  const isOpening = selectIsOpening(root);
  const chat = selectMarkedChat(root);
  const isAsking = chat === null && selectFirstMessage(root) !== null;
  return {
    hasChats: true,
    chat,
    conversation: isOpening ? null : conversation,
    isWriting: !isOpening && (isAsking || (conversation?.isWriting ?? false)),
  };
}
