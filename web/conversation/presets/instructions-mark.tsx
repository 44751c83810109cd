import { ScrollText } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useChatsSelector } from "../../chats/chats-store.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { openInstructions, useOpenedInstructions } from "./instructions-opening.ts";

const InstructionsDialog = lazy(() => import("./instructions-dialog.tsx"));

/** Says that a chat has its own instructions, and leads to them. Holds the dialog for those that have none yet too. */
export function InstructionsMark({ chat }: { chat: string }) {
  const { t } = useTranslation("presets");
  const hasInstructions = useChatsSelector(({ chats }) => Boolean(chats.conversations[chat]?.instructions));
  const isOpen = useOpenedInstructions() === chat;
  const [hasBeenOpen, setBeenOpen] = useState(false);
  if (isOpen && !hasBeenOpen) setBeenOpen(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a dialog goes with its chat
  useEffect(() => openInstructions(null), [chat]);
  return (
    <>
      {hasInstructions && (
        <IconButton
          label={t("menu.mark")}
          title={t("menu.mark")}
          icon={<ScrollText aria-hidden="true" />}
          size="small"
          className="[&_svg]:size-4"
          onClick={() => openInstructions(chat)}
        />
      )}
      {hasBeenOpen && (
        <Suspense fallback={null}>
          <InstructionsDialog chat={chat} isOpen={isOpen} />
        </Suspense>
      )}
    </>
  );
}
