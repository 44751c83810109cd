import { Download } from "lucide-react";
import { Dialog } from "radix-ui";
import { type KeyboardEvent, type ReactNode, type Ref, type RefObject, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { AttachedFile } from "#contract/files/files.ts";
import { CloseButton } from "../../ui/components/close-button.tsx";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { Spinner } from "../../ui/components/spinner.tsx";
import { lowOverlayClass } from "../../ui/dialogs/dialog.tsx";
import { useBackGesture } from "../../ui/dialogs/use-back-gesture.ts";
import { useReturnFocus } from "../../ui/dialogs/use-return-focus.ts";
import { useDownload } from "../shown/use-download.ts";

type ViewerFrameProps = {
  file: AttachedFile;
  /** What the keys do, for screen readers. */
  description: string;
  /** Below the name. */
  facts?: string;
  /** Buttons between the name and the download. */
  tools: ReactNode;
  /** Takes the focus at first: its keys work at once, and no button looks as if it were chosen. */
  initialFocus?: RefObject<HTMLElement | null>;
  closeButton?: Ref<HTMLButtonElement>;
  onKeyDown: (event: KeyboardEvent) => void;
  onClose: () => void;
  children: ReactNode;
};

/** Dialog over the whole window around a file, with its name, its download and the button that closes it. */
export function ViewerFrame({ file, description, facts, tools, initialFocus, ...rest }: ViewerFrameProps) {
  const { closeButton, onKeyDown, onClose, children } = rest;
  const { t } = useTranslation("files");
  const content = useRef<HTMLDivElement>(null);
  const returnFocus = useReturnFocus(true);
  useBackGesture(true);
  const { download, isBusy } = useDownload(file);
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className={`${lowOverlayClass} print:hidden`} />
        <Dialog.Content
          ref={content}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            (initialFocus?.current ?? content.current)?.focus();
          }}
          onCloseAutoFocus={returnFocus}
          onKeyDown={onKeyDown}
          className="fixed inset-0 z-30 flex animate-fade flex-col overflow-hidden border-hairline bg-page outline-none pt-[env(safe-area-inset-top)] pb-[env(safe-area-inset-bottom)] shadow-float sm:inset-6 sm:rounded-surface sm:border print:hidden"
        >
          <div className="flex flex-wrap items-center gap-1 border-hairline border-b py-1.5 ps-4 pe-2">
            <div className="flex min-w-0 flex-1 basis-24 items-baseline gap-3 text-sm max-sm:order-first">
              <Dialog.Title className="min-w-0 truncate font-medium">
                <bdi>{file.name}</bdi>
              </Dialog.Title>
              {facts && <span className="shrink-0 text-muted text-xs tabular-nums max-sm:hidden">{facts}</span>}
            </div>
            <Dialog.Description className="sr-only">{description}</Dialog.Description>
            <div className="flex flex-wrap items-center gap-0.5 empty:hidden max-sm:order-last max-sm:basis-full max-sm:justify-center">
              {tools}
            </div>
            <IconButton
              label={t("downloadOf", { name: file.name })}
              hint={t("download")}
              icon={isBusy ? <Spinner /> : <Download aria-hidden="true" />}
              size="small"
              onClick={download}
            />
            <Dialog.Close asChild>
              <CloseButton ref={closeButton} />
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
