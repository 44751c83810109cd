import { ChevronLeft, ChevronRight, Maximize, ZoomIn, ZoomOut } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { AttachedFile } from "#contract/files/files.ts";
import { IconButton, type IconButtonProps } from "../../ui/components/icon-button.tsx";
import type { useView } from "../../ui/zoom/use-view.ts";

/** A button that keeps the focus when it has nothing to do any more. */
function StepButton({ isOver, ...rest }: IconButtonProps & { isOver: boolean }) {
  return <IconButton size="small" aria-disabled={isOver || undefined} className="aria-disabled:opacity-45" {...rest} />;
}

type StepButtonsProps = {
  words: string;
  before: AttachedFile | undefined;
  after: AttachedFile | undefined;
  step: (by: 1 | -1) => void;
};

/** Buttons that show the picture before and after. `words`: the position among all. */
export function StepButtons({ words, before, after, step }: StepButtonsProps) {
  const { t } = useTranslation("files");
  return (
    <>
      <StepButton
        label={t("viewer.previous")}
        icon={<ChevronLeft aria-hidden="true" className="rtl:-scale-x-100" />}
        isOver={!before}
        onClick={() => step(-1)}
      />
      <span aria-hidden="true" className="px-1 text-center text-muted text-xs tabular-nums">
        {words}
      </span>
      <StepButton
        label={t("viewer.next")}
        icon={<ChevronRight aria-hidden="true" className="rtl:-scale-x-100" />}
        isOver={!after}
        onClick={() => step(1)}
      />
    </>
  );
}

/** Controls of a scale; null before the content is there. */
export type ZoomControls = Pick<
  ReturnType<typeof useView>,
  "canZoomIn" | "canZoomOut" | "isWhole" | "zoomIn" | "zoomOut" | "showAll"
> & { scale: number | null };

/** Buttons that change the scale, which is shown between them. */
export function ZoomButtons({ zoom }: { zoom: ZoomControls }) {
  const { t, i18n } = useTranslation("files");
  const { canZoomIn, canZoomOut, isWhole, zoomIn, zoomOut, showAll } = zoom;
  const isReady = zoom.scale !== null;
  const scale = isReady && new Intl.NumberFormat(i18n.language, { style: "percent" }).format(zoom.scale ?? 1);
  const disabled = !isReady;
  return (
    <>
      <StepButton
        label={t("viewer.zoomOut")}
        icon={<ZoomOut aria-hidden="true" />}
        isOver={isReady && !canZoomOut}
        {...{ disabled }}
        onClick={zoomOut}
      />
      <span aria-hidden="true" className="min-w-11 text-center text-muted text-xs tabular-nums">
        {scale}
      </span>
      <StepButton
        label={t("viewer.zoomIn")}
        icon={<ZoomIn aria-hidden="true" />}
        isOver={isReady && !canZoomIn}
        {...{ disabled }}
        onClick={zoomIn}
      />
      <StepButton
        label={t("viewer.fit")}
        icon={<Maximize aria-hidden="true" />}
        isOver={isReady && isWhole}
        {...{ disabled }}
        onClick={showAll}
      />
    </>
  );
}
