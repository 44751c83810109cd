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
import { useGoToSettings } from "../chats/use-go-to-settings.ts";
import { type ChatSession, useChatSession } from "../conversation/chat-session.ts";
import { ComposerBox } from "../conversation/composer-box.ts";
import { temporarySession } from "../conversation/temporary/temporary-session.ts";

export type ActionsProps = {
  /** What is on the page: the chats, the temporary one, or something else than any chat. */
  page: "chats" | "temporary" | "other";
  onLogout: () => void;
  /** A chat was chosen or begun: a drawer closes itself. */
  onChosen: () => void;
};

/** The state and commands that an action works on, read when it runs. */
export type ActionContext = {
  /** That of the chat on the screen, which may be the temporary one. */
  session: ChatSession;
  /** That of the chats in the list; another one than {@link session} on the screen of the temporary chat. */
  kept: ChatSession;
  /** Whether this is the page of the chats: elsewhere no chat is on the screen, whichever was before. */
  hasChats: boolean;
  /** Id of the chat on the screen; null where there is none yet. */
  chat: string | null;
  /** What is said in it, as far as it is here. */
  conversation: Conversation | null;
  isWriting: boolean;
  /** The box that is written in. */
  box: RefObject<HTMLTextAreaElement | null>;
  go: (address: string) => void;
  goToSettings: (page: string) => void;
  /** Null closes what is open. */
  open: (dialog: ChatDialog | null) => void;
  signOut: () => void;
  /** Closes the list of chats where it is a drawer. */
  leaveList: () => void;
};

/** @returns a function that reads the present context; an action calls it at the moment it runs. */
export function useActionContext({ page, onLogout, onChosen }: ActionsProps): () => ActionContext {
  const kept = useChatSession();
  const navigate = useNavigate();
  const goToSettings = useGoToSettings();
  const box = useContext(ComposerBox);
  return () => {
    const session = page === "temporary" ? temporarySession(kept) : kept;
    return {
      session,
      kept,
      ...(page === "other" ? noChat : onScreen(session)),
      box,
      go: (address) => void navigate(address),
      goToSettings,
      open: (dialog) => void kept.store.dispatch(chatEvents.organise({ dialog })),
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
