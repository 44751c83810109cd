import { Dialog } from "radix-ui";
import { useCallback, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DrawAnswer } from "../../sandbox/diagram-messages.ts";
import { CloseButton } from "../../ui/components/close-button.tsx";
import { lowOverlayClass } from "../../ui/dialogs/dialog.tsx";
import { useReturnFocus } from "../../ui/dialogs/use-return-focus.ts";
import { useView } from "../../ui/zoom/use-view.ts";
import { drawingFraming, type Size } from "../../ui/zoom/view.ts";
import { DiagramFailure } from "./diagram-failure.tsx";
import { DiagramFrame, type DiagramHandle } from "./diagram-frame.tsx";
import { DiagramTools } from "./diagram-tools.tsx";
import type { DiagramName } from "./use-diagram-name.ts";

type DiagramDialogProps = { source: string; name: DiagramName; onClose: () => void };

/** Dialog that shows a diagram on nearly all of the screen, where it can be zoomed, moved and saved. */
export function DiagramDialog({ source, name, onClose }: DiagramDialogProps) {
  const { t } = useTranslation("replies");
  const close = useRef<HTMLButtonElement>(null);
  const frame = useRef<DiagramHandle>(null);
  const returnFocus = useReturnFocus(true);
  const { isFailed, retry, size, onAnswer } = useDrawAnswer();
  const zoom = useView(size, drawingFraming);
  const again = () => {
    retry();
    // The retry button is removed: move the focus first.
    close.current?.focus();
  };
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className={lowOverlayClass} />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
          onKeyDown={zoom.onKeyDown}
          className="fixed inset-2 z-30 flex animate-fade flex-col overflow-hidden rounded-surface border border-hairline bg-page shadow-float sm:inset-6"
        >
          <div className="flex flex-wrap items-center gap-1 border-hairline border-b py-1.5 ps-4 pe-2">
            <Dialog.Title className="min-w-0 flex-1 basis-24 truncate font-medium text-sm max-sm:order-first">
              {name.whole}
            </Dialog.Title>
            <DiagramTools zoom={zoom} isReady={zoom.view !== null && !isFailed} frame={frame} size={size} />
            <Dialog.Close asChild>
              <CloseButton ref={close} />
            </Dialog.Close>
          </div>
          {isFailed ? (
            <div className="py-4">
              <DiagramFailure text={t("diagram.notShown")} onAgain={again} />
            </div>
          ) : (
            <div className="relative min-h-0 flex-1">
              <DiagramFrame
                ref={frame}
                source={source}
                title={name.whole}
                isWhole
                view={zoom.view}
                className="size-full"
                onAnswer={onAnswer}
              />
              {/* Above the frame, so that all input stays in the page. */}
              <div
                role="application"
                aria-label={t("diagram.area")}
                // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the diagram
                tabIndex={0}
                className="absolute inset-0 cursor-grab touch-none select-none focus-visible:-outline-offset-2 active:cursor-grabbing"
                {...zoom.area}
              />
            </div>
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Returns the size of the drawing, or whether it failed. */
function useDrawAnswer() {
  const [isFailed, setFailed] = useState(false);
  const [size, setSize] = useState<Size>();
  const onAnswer = useCallback((answer: DrawAnswer) => {
    setFailed("failed" in answer);
    // The same size stays the same object.
    if ("drawn" in answer) setSize((before) => (isSame(before, answer.drawn.size) ? before : answer.drawn.size));
  }, []);
  return { isFailed, retry: () => setFailed(false), size, onAnswer };
}

const isSame = (one: Size | undefined, other: Size) => one?.width === other.width && one.height === other.height;
