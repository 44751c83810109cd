import "../locales/search-texts.ts";
import { Dialog as Radix } from "radix-ui";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { SearchHit } from "#contract/search.ts";
import { overlayClass } from "../ui/dialog.tsx";
import { useReturnFocus } from "../ui/use-return-focus.ts";
import type { FilterFolder } from "./filter-row.tsx";
import { SearchPanel } from "./search-panel.tsx";

export type SearchDialogProps = {
  isOpen: boolean;
  /** What was typed before the search was there, to be searched for. */
  typed: string;
  /** To choose from among the filters. */
  folders: readonly FilterFolder[];
  onOpenChange: (isOpen: boolean) => void;
  /** `message`: none where a chat was found by its title. */
  onChoose: (chat: string, message: string | null) => void;
};

/** The search over the page; all of the screen on a phone. */
export default function SearchDialog({ isOpen, typed, folders, onOpenChange, onChoose }: SearchDialogProps) {
  const { t } = useTranslation("search");
  const returnFocus = useReturnFocus(isOpen);
  const isChosen = useRef(false);
  const choose = ({ chatId, messageId }: SearchHit) => {
    isChosen.current = messageId !== null;
    onOpenChange(false);
    onChoose(chatId, messageId);
  };
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={overlayClass} />
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => typed !== "" && goOnTyping(event)}
          onCloseAutoFocus={(event) => {
            // The message that was chosen takes the focus; the next time there may be none.
            if (isChosen.current) event.preventDefault();
            else returnFocus(event);
            isChosen.current = false;
          }}
          className={
            "fixed inset-0 z-40 flex animate-fade flex-col bg-raised " +
            "sm:inset-x-0 sm:top-[10dvh] sm:bottom-auto sm:mx-auto sm:max-h-[76dvh] sm:w-[calc(100%-2rem)] " +
            "sm:max-w-measure sm:overflow-hidden sm:rounded-surface sm:border sm:border-hairline sm:shadow-float"
          }
        >
          <Radix.Title className="sr-only">{t("title")}</Radix.Title>
          <SearchPanel typed={typed} folders={folders} onChoose={choose} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The next letter stands behind what is there: the dialog would have selected that. */
function goOnTyping(event: Event): void {
  const field = event.target instanceof HTMLElement ? event.target.querySelector("input") : null;
  if (!field) return;
  event.preventDefault();
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}
