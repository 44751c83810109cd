import { Dialog as Radix } from "radix-ui";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SearchHit } from "#contract/conversation/search.ts";
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
  /** Text that was typed before the search had loaded; it is searched for. */
  typed: string;
  /** Choices of the folder filter. */
  folders: readonly FilterFolder[];
  onClose: () => void;
  /** `message`: null if a chat was found by its title. `query`: found it. */
  onChoose: (chat: string, message: string | null, query: string) => void;
  palette: PaletteEntries;
  /** Called once the dialog is closed and the focus has returned. */
  onGone: () => void;
};

/** Search and command palette over the page; full screen on a phone. */
export function SearchDialog({ typed, folders, onClose, onChoose, palette, onGone }: SearchDialogProps) {
  const { t } = useTranslation("search");
  const returnFocus = useReturnFocus(true);
  useBackGesture(true);
  const isChosen = useRef(false);
  // Survives the choices of one entry, so that a step back shows the former hits.
  const [run] = useState(() => new SearchRun(typed));
  const choose = ({ chatId, messageId }: SearchHit) => {
    isChosen.current = messageId !== null;
    onClose();
    onChoose(chatId, messageId, run.state.get().query);
  };
  return (
    <Radix.Root open onOpenChange={onClose}>
      <Radix.Portal>
        <Radix.Overlay className={overlayClass} />
        <Radix.Content
          aria-describedby={undefined}
          onEscapeKeyDown={(event) => {
            // Escape that ends a composition closes nothing.
            const isComposed = isComposing(event);
            if (!isComposed && !palette.scope?.isStep) return;
            event.preventDefault();
            if (!isComposed) palette.scope?.onBack();
          }}
          onCloseAutoFocus={(event) => {
            // The chosen message takes the focus.
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
