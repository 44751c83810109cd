import { Download, Maximize, X, ZoomIn, ZoomOut } from "lucide-react";
import { Dialog } from "radix-ui";
import { type RefObject, useCallback, useContext, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DrawAnswer } from "../../sandbox/diagram-messages.ts";
import { Button } from "../../ui/components/button.tsx";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { lowOverlayClass } from "../../ui/dialogs/dialog.tsx";
import { useReturnFocus } from "../../ui/dialogs/use-return-focus.ts";
import { lazyModule } from "../../ui/lazy/lazy-module.ts";
import { notify } from "../../ui/notifications/notify.ts";
import { saveFile } from "../../ui/save-file.ts";
import { tooltip } from "../../ui/tooltips/tooltip.ts";
import { useView } from "../../ui/zoom/use-view.ts";
import { drawingFraming, type Size } from "../../ui/zoom/view.ts";
import { FileNameContext } from "../file-name.ts";
import { DiagramFailure } from "./diagram-failure.tsx";
import { DiagramFrame, type DiagramHandle } from "./diagram-frame.tsx";
import type { DiagramName } from "./use-diagram-name.ts";
import { useDiagramTheme } from "./use-diagram-theme.ts";

const fileModule = lazyModule(() => import("./diagram-file.ts"));

type DiagramDialogProps = { source: string; name: DiagramName; onClose: () => void };

/** Dialog that shows a diagram on nearly all of the screen, where it can be zoomed, moved and saved. */
export function DiagramDialog({ source, name, onClose }: DiagramDialogProps) {
  const { t, i18n } = useTranslation(["app", "replies"]);
  const close = useRef<HTMLButtonElement>(null);
  const frame = useRef<DiagramHandle>(null);
  const returnFocus = useReturnFocus(true);
  const [isFailed, setFailed] = useState(false);
  const [size, setSize] = useState<Size>();
  const { view, canZoomIn, canZoomOut, isWhole, zoomIn, zoomOut, showAll, onKeyDown, area } = useView(
    size,
    drawingFraming,
  );
  const { save, isSaving } = useSave(frame, size);
  const onAnswer = useCallback((answer: DrawAnswer) => {
    setFailed("failed" in answer);
    // The same size stays the same object.
    if ("drawn" in answer) setSize((before) => (isSame(before, answer.drawn.size) ? before : answer.drawn.size));
  }, []);
  const again = () => {
    setFailed(false);
    // The retry button is removed: move the focus first.
    close.current?.focus();
  };
  const isReady = view !== null && !isFailed;
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className={lowOverlayClass} />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
          onKeyDown={onKeyDown}
          className="fixed inset-2 z-30 flex animate-fade flex-col overflow-hidden rounded-surface border border-hairline bg-page shadow-float sm:inset-6"
        >
          <div className="flex flex-wrap items-center gap-1 border-hairline border-b py-1.5 ps-4 pe-2">
            <Dialog.Title className="min-w-0 flex-1 basis-24 truncate font-medium text-sm max-sm:order-first">
              {name.whole}
            </Dialog.Title>
            <div className="flex items-center gap-0.5 max-sm:order-last max-sm:basis-full">
              <IconButton
                label={t("replies:diagram.zoomOut")}
                icon={<ZoomOut aria-hidden="true" />}
                size="small"
                disabled={!isReady}
                // A disabled button would lose the focus at the last step.
                aria-disabled={(isReady && !canZoomOut) || undefined}
                className="aria-disabled:opacity-45"
                onClick={zoomOut}
              />
              <span aria-hidden="true" className="min-w-11 text-center text-muted text-xs tabular-nums">
                {isReady && new Intl.NumberFormat(i18n.language, { style: "percent" }).format(view.scale)}
              </span>
              <IconButton
                label={t("replies:diagram.zoomIn")}
                icon={<ZoomIn aria-hidden="true" />}
                size="small"
                disabled={!isReady}
                aria-disabled={(isReady && !canZoomIn) || undefined}
                className="aria-disabled:opacity-45"
                onClick={zoomIn}
              />
              <IconButton
                label={t("replies:diagram.fit")}
                icon={<Maximize aria-hidden="true" />}
                size="small"
                disabled={!isReady}
                aria-disabled={(isReady && isWhole) || undefined}
                className="aria-disabled:opacity-45"
                onClick={showAll}
              />
              {(["svg", "png"] as const).map((kind) => (
                <Button
                  key={kind}
                  variant="quiet"
                  size="small"
                  aria-label={t(kind === "svg" ? "replies:diagram.saveSvg" : "replies:diagram.savePng")}
                  {...tooltip(t(kind === "svg" ? "replies:diagram.saveSvg" : "replies:diagram.savePng"))}
                  disabled={!isReady}
                  busy={isSaving === kind}
                  onClick={() => void save(kind)}
                >
                  {isSaving !== kind && <Download aria-hidden="true" className="size-4" />}
                  {kind.toUpperCase()}
                </Button>
              ))}
            </div>
            <Dialog.Close asChild>
              <IconButton ref={close} label={t("close")} icon={<X aria-hidden="true" />} size="small" />
            </Dialog.Close>
          </div>
          {isFailed ? (
            <div className="py-4">
              <DiagramFailure text={t("replies:diagram.notShown")} onAgain={again} />
            </div>
          ) : (
            <div className="relative min-h-0 flex-1">
              <DiagramFrame
                ref={frame}
                source={source}
                title={name.whole}
                isWhole
                view={view}
                className="size-full"
                onAnswer={onAnswer}
              />
              {/* Above the frame, so that all input stays in the page. */}
              <div
                role="application"
                aria-label={t("replies:diagram.area")}
                // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the diagram
                tabIndex={0}
                className="absolute inset-0 cursor-grab touch-none select-none focus-visible:-outline-offset-2 active:cursor-grabbing"
                {...area}
              />
            </div>
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const isSame = (one: Size | undefined, other: Size) => one?.width === other.width && one.height === other.height;

type Kind = "svg" | "png";

/** Saves the diagram of a frame as a file that is named after its chat. */
function useSave(frame: RefObject<DiagramHandle | null>, size: Size | undefined) {
  const { t } = useTranslation("replies");
  const title = useContext(FileNameContext);
  const theme = useDiagramTheme();
  const [isSaving, setSaving] = useState<Kind | null>(null);
  const save = async (kind: Kind) => {
    if (isSaving !== null || !size) return;
    setSaving(kind);
    try {
      const { fileName, pngFile, svgFile } = await fileModule.load();
      const svg = await frame.current?.save();
      if (!svg) throw new Error("No drawing");
      const file = kind === "svg" ? await svgFile(svg) : await pngFile(svg, size, theme?.page ?? "Canvas");
      saveFile(file, fileName(title, t("diagram.fileName"), kind));
    } catch {
      notify("error", t("diagram.notSaved"));
    } finally {
      setSaving(null);
    }
  };
  return { save, isSaving };
}
