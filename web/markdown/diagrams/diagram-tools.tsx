import { Download, Maximize, ZoomIn, ZoomOut } from "lucide-react";
import { type ReactNode, type RefObject, useContext, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/components/button.tsx";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { lazyModule } from "../../ui/lazy/lazy-module.ts";
import { notify } from "../../ui/notifications/notify.ts";
import { saveFile } from "../../ui/save-file.ts";
import { tooltip } from "../../ui/tooltips/tooltip.ts";
import type { useView } from "../../ui/zoom/use-view.ts";
import type { Size } from "../../ui/zoom/view.ts";
import { FileNameContext } from "../file-name.ts";
import type { DiagramHandle } from "./diagram-frame.tsx";
import { useDiagramTheme } from "./use-diagram-theme.ts";

const fileModule = lazyModule(() => import("./diagram-file.ts"));

type DiagramToolsProps = {
  zoom: ReturnType<typeof useView>;
  /** Whether the diagram is drawn. */
  isReady: boolean;
  frame: RefObject<DiagramHandle | null>;
  size: Size | undefined;
};

/** Buttons that zoom a diagram and save it as a file. */
export function DiagramTools({ zoom, isReady, frame, size }: DiagramToolsProps) {
  const { t, i18n } = useTranslation("replies");
  const { view, canZoomIn, canZoomOut, isWhole, zoomIn, zoomOut, showAll } = zoom;
  return (
    <div className="flex items-center gap-0.5 max-sm:order-last max-sm:basis-full">
      <ZoomButton
        label={t("diagram.zoomOut")}
        icon={<ZoomOut aria-hidden="true" />}
        isReady={isReady}
        hasEffect={canZoomOut}
        onClick={zoomOut}
      />
      <span aria-hidden="true" className="min-w-11 text-center text-muted text-xs tabular-nums">
        {isReady && view && new Intl.NumberFormat(i18n.language, { style: "percent" }).format(view.scale)}
      </span>
      <ZoomButton
        label={t("diagram.zoomIn")}
        icon={<ZoomIn aria-hidden="true" />}
        isReady={isReady}
        hasEffect={canZoomIn}
        onClick={zoomIn}
      />
      <ZoomButton
        label={t("diagram.fit")}
        icon={<Maximize aria-hidden="true" />}
        isReady={isReady}
        hasEffect={!isWhole}
        onClick={showAll}
      />
      <SaveButtons isReady={isReady} frame={frame} size={size} />
    </div>
  );
}

type ZoomButtonProps = {
  label: string;
  icon: ReactNode;
  isReady: boolean;
  /** Whether the button changes the view now. */
  hasEffect: boolean;
  onClick: () => void;
};

function ZoomButton({ label, icon, isReady, hasEffect, onClick }: ZoomButtonProps) {
  return (
    <IconButton
      label={label}
      icon={icon}
      size="small"
      disabled={!isReady}
      // A disabled button would lose the focus at the last step.
      aria-disabled={(isReady && !hasEffect) || undefined}
      className="aria-disabled:opacity-45"
      onClick={onClick}
    />
  );
}

type SavedDiagram = Pick<DiagramToolsProps, "isReady" | "frame" | "size">;

function SaveButtons({ isReady, frame, size }: SavedDiagram) {
  const { t } = useTranslation("replies");
  const { save, isSaving } = useSave(frame, size);
  return (["svg", "png"] as const).map((kind) => {
    const label = t(kind === "svg" ? "diagram.saveSvg" : "diagram.savePng");
    return (
      <Button
        key={kind}
        variant="quiet"
        size="small"
        aria-label={label}
        {...tooltip(label)}
        disabled={!isReady}
        busy={isSaving === kind}
        onClick={() => void save(kind)}
      >
        {isSaving !== kind && <Download aria-hidden="true" className="size-4" />}
        {kind.toUpperCase()}
      </Button>
    );
  });
}

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
