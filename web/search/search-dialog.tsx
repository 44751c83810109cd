import { Dialog as Radix } from "radix-ui";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SearchHit } from "#contract/search.ts";
import search from "../locales/en/search.json";
import { registerTexts } from "../locales/i18n.ts";
import { overlayClass } from "../ui/dialogs/dialog.tsx";
import { useBackGesture } from "../ui/dialogs/use-back-gesture.ts";
import { useReturnFocus } from "../ui/dialogs/use-return-focus.ts";
import { isComposing } from "../ui/keys/press.ts";
import type { FilterFolder } from "./filter-row.tsx";
import type { PaletteEntries } from "./palette-entry.ts";
import { SearchPanel } from "./search-panel.tsx";
import { SearchRun } from "./search-run.ts";

registerTexts("search", search);

export type SearchDialogProps = {
  /** What was typed before the search was there, to be searched for. */
  typed: string;
  /** To choose from among the filters. */
  folders: readonly FilterFolder[];
  onClose: () => void;
  /** `message`: none where a chat was found by its title. */
  onChoose: (chat: string, message: string | null) => void;
  palette: PaletteEntries;
  /** Called once it is gone and the focus is back. */
  onGone: () => void;
};

/** The search over the page, and what can be done; all of the screen on a phone. */
export function SearchDialog({ typed, folders, onClose, onChoose, palette, onGone }: SearchDialogProps) {
  const { t } = useTranslation("search");
  const returnFocus = useReturnFocus(true);
  useBackGesture(true);
  const isChosen = useRef(false);
  // Whoever comes back from the choices of one entry finds what was found before.
  const [run] = useState(() => new SearchRun(typed));
  const choose = ({ chatId, messageId }: SearchHit) => {
    isChosen.current = messageId !== null;
    onClose();
    onChoose(chatId, messageId);
  };
  return (
    <Radix.Root open onOpenChange={onClose}>
      <Radix.Portal>
        <Radix.Overlay className={overlayClass} />
        <Radix.Content
          aria-describedby={undefined}
          onEscapeKeyDown={(event) => {
            // Escape that ends the composing of a character closes nothing.
            const isComposed = isComposing(event);
            if (!isComposed && !palette.scope?.isStep) return;
            event.preventDefault();
            if (!isComposed) palette.scope?.onBack();
          }}
          onCloseAutoFocus={(event) => {
            // The message that was chosen takes the focus.
            if (isChosen.current) event.preventDefault();
            else returnFocus(event);
            onGone();
          }}
          className={
            "fixed inset-x-0 top-0 bottom-(--keyboard) z-40 flex animate-fade flex-col bg-raised " +
            "max-sm:ps-(--safe-start) max-sm:pe-(--safe-end) max-sm:pt-[env(safe-area-inset-top)] " +
            "sm:inset-x-0 sm:top-[10dvh] sm:bottom-auto sm:mx-auto sm:max-h-[76dvh] sm:w-[calc(100%-2rem)] " +
            "sm:max-w-measure sm:overflow-hidden sm:rounded-surface sm:border sm:border-hairline sm:shadow-float"
          }
        >
          <Radix.Title className="sr-only">{t("title")}</Radix.Title>
          <SearchPanel
            key={palette.scope?.label ?? ""}
            run={run}
            folders={folders}
            onChoose={choose}
            palette={palette}
          />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
