import "../locales/search-texts.ts";
import { Dialog as Radix } from "radix-ui";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SearchHit } from "#contract/search.ts";
import { overlayClass } from "../ui/dialog.tsx";
import { useReturnFocus } from "../ui/use-return-focus.ts";
import { SearchPanel } from "./search-panel.tsx";

export type SearchDialogProps = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** `message`: none where a chat was found by its title. */
  onChoose: (chat: string, message: string | null) => void;
};

/** The search over the page; all of the screen on a phone. */
export default function SearchDialog({ isOpen, onOpenChange, onChoose }: SearchDialogProps) {
  const { t } = useTranslation("search");
  const returnFocus = useReturnFocus(isOpen);
  const [isChosen, setChosen] = useState(false);
  const choose = ({ chatId, messageId }: SearchHit) => {
    setChosen(messageId !== null);
    onOpenChange(false);
    onChoose(chatId, messageId);
  };
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={overlayClass} />
        <Radix.Content
          aria-describedby={undefined}
          // The message that was chosen takes the focus.
          onCloseAutoFocus={(event) => (isChosen ? event.preventDefault() : returnFocus(event))}
          className={
            "fixed inset-0 z-40 flex animate-fade flex-col bg-raised " +
            "sm:inset-x-0 sm:top-[10dvh] sm:bottom-auto sm:mx-auto sm:max-h-[76dvh] sm:w-[calc(100%-2rem)] " +
            "sm:max-w-measure sm:overflow-hidden sm:rounded-surface sm:border sm:border-hairline sm:shadow-float"
          }
        >
          <Radix.Title className="sr-only">{t("title")}</Radix.Title>
          <SearchPanel onChoose={choose} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
