import { ScrollText } from "lucide-react";
import { useTranslation } from "react-i18next";
import { chatEvents } from "../chats/state/chats-slice.ts";
import { useChatsDispatch, useChatsSelector } from "../chats/state/chats-store.ts";
import { IconButton } from "../ui/components/icon-button.tsx";

/** Says that a chat has its own instructions, and leads to them. */
export function InstructionsMark({ chat }: { chat: string }) {
  const { t } = useTranslation("presets");
  const dispatch = useChatsDispatch();
  const hasInstructions = useChatsSelector(({ chats }) => Boolean(chats.conversations[chat]?.instructions));
  if (!hasInstructions) return null;
  return (
    <IconButton
      label={t("menu.mark")}
      title={t("menu.mark")}
      icon={<ScrollText aria-hidden="true" />}
      size="small"
      className="[&_svg]:size-4"
      onClick={() => dispatch(chatEvents.organise({ dialog: { kind: "instructions", id: chat } }))}
    />
  );
}
