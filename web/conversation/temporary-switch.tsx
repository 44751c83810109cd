import { MessageCircleDashed } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { chatAddress, TEMPORARY_ADDRESS } from "../chats/chat-address.ts";
import { selectMarkedChat } from "../chats/state/chats-selectors.ts";
import { useChatsSelector } from "../chats/state/chats-store.ts";
import { cx } from "../ui/components/cx.ts";
import { IconButton } from "../ui/components/icon-button.tsx";
import { moveDraft, pendingDraftMove } from "./attachments/move-draft.ts";
import { hasMessages, useChatSession } from "./chat-session.ts";

/** Switches from an empty chat to the temporary one and back; the draft of an empty chat moves along. */
export function TemporarySwitch() {
  const { t } = useTranslation("chat");
  const session = useChatSession();
  const chat = useChatsSelector(selectMarkedChat);
  const navigate = useNavigate();
  const isOn = session.storedSession !== null;
  const turn = () => {
    // Text written during an unsaved conversation is not stored.
    if (session.storedSession && !hasMessages(session)) moveDraft(session, chat, session.storedSession);
    // The temporary pane moves the draft once it has loaded.
    else if (!session.storedSession) session.get(pendingDraftMove).set({ chat });
    void navigate(isOn ? chatAddress(null) : TEMPORARY_ADDRESS);
  };
  return (
    <IconButton
      label={t("temporary.name")}
      hint={t(isOn ? "temporary.turnOff" : "temporary.turnOn")}
      aria-pressed={isOn}
      icon={<MessageCircleDashed aria-hidden="true" />}
      className={cx(isOn && "bg-accent-soft text-accent")}
      onClick={turn}
    />
  );
}
