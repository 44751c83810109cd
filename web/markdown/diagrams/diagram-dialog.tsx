import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import { useCallback, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DrawAnswer } from "../../sandbox/diagram-messages.ts";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { overlayClass } from "../../ui/dialogs/dialog.tsx";
import { useReturnFocus } from "../../ui/dialogs/use-return-focus.ts";
import { DiagramFailure } from "./diagram-failure.tsx";
import { DiagramFrame } from "./diagram-frame.tsx";
import type { DiagramName } from "./use-diagram-name.ts";

/** Dialog that shows a diagram at its own size on nearly all of the screen. */
export function DiagramDialog({ source, name, onClose }: { source: string; name: DiagramName; onClose: () => void }) {
  const { t } = useTranslation(["app", "replies"]);
  const close = useRef<HTMLButtonElement>(null);
  const returnFocus = useReturnFocus(true);
  const [isFailed, setFailed] = useState(false);
  const onAnswer = useCallback((answer: DrawAnswer) => setFailed("failed" in answer), []);
  const again = () => {
    setFailed(false);
    // The retry button is removed: move the focus first.
    close.current?.focus();
  };
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className={overlayClass} />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
          className="fixed inset-2 z-40 flex animate-fade flex-col overflow-hidden rounded-surface border border-hairline bg-page shadow-float sm:inset-6"
        >
          <div className="flex items-center gap-2 border-hairline border-b py-1.5 ps-4 pe-2">
            <Dialog.Title className="min-w-0 flex-1 truncate font-medium text-sm">{name.whole}</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton ref={close} label={t("close")} icon={<X aria-hidden="true" />} size="small" />
            </Dialog.Close>
          </div>
          {isFailed ? (
            <div className="py-4">
              <DiagramFailure text={t("replies:diagram.notShown")} onAgain={again} />
            </div>
          ) : (
            <DiagramFrame
              source={source}
              title={name.whole}
              isWhole
              className="min-h-0 w-full flex-1"
              onAnswer={onAnswer}
            />
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
