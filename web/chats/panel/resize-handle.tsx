import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { keysOfMenu } from "../../locales/direction.ts";
import { tooltip } from "../../ui/tooltips/tooltip.ts";
import { MIN_WIDTH_PX, setSidebarWidth, sidebarWidth, toggleSidebar } from "./sidebar-shape.ts";

const STEP_PX = 16;

/** Half of the window, as in the style of the panel. */
const maxWidth = () => Math.max(MIN_WIDTH_PX, Math.floor(window.innerWidth / 2));
const limited = (px: number) => Math.min(maxWidth(), Math.max(MIN_WIDTH_PX, px));

type ResizeHandleProps = { panel: RefObject<HTMLElement | null>; panelId: string };

/**
 * Handle at the inline end of the sidebar: dragged, or moved by arrow keys, Home and End. A double click restores the
 * default width; Enter collapses the sidebar.
 */
export function ResizeHandle({ panel, panelId }: ResizeHandleProps) {
  const { t, i18n } = useTranslation("chat");
  const width = useMeasuredWidth(panel);
  const drag = useDrag(panel);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const { into, out } = keysOfMenu();
    const { key } = event;
    if (key === into) setSidebarWidth(limited(width + STEP_PX));
    else if (key === out) setSidebarWidth(limited(width - STEP_PX));
    else if (key === "Home") setSidebarWidth(MIN_WIDTH_PX);
    else if (key === "End") setSidebarWidth(maxWidth());
    else if (key === "Enter") toggleSidebar();
    else if (key !== "Escape" || !drag.cancel()) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const share = new Intl.NumberFormat(i18n.language, { style: "percent" }).format(width / window.innerWidth);
  return (
    // biome-ignore lint/a11y/useSemanticElements: hr is no widget; a separator with a tab stop is one
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t("sidebar.resize")}
      aria-controls={panelId}
      aria-valuenow={Math.round(width)}
      aria-valuemin={MIN_WIDTH_PX}
      aria-valuemax={maxWidth()}
      aria-valuetext={share}
      {...tooltip(t("sidebar.resizeHint"), { isBeside: true })}
      className="group/handle absolute -end-1.5 inset-y-0 z-10 flex w-3 cursor-col-resize touch-none select-none justify-center outline-none focus-visible:outline-hidden pointer-coarse:-end-3 pointer-coarse:w-6"
      onKeyDown={onKeyDown}
      onDoubleClick={() => setSidebarWidth(null)}
      {...drag.listeners}
    >
      <span className="h-full w-0.5 bg-transparent transition-colors group-hover/handle:bg-outline group-focus-visible/handle:bg-accent group-active/handle:bg-accent" />
    </div>
  );
}

/** Returns the width of the panel in px, without forcing a layout. */
function useMeasuredWidth(panel: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(MIN_WIDTH_PX);
  useEffect(() => {
    if (!panel.current) return;
    const observer = new ResizeObserver(([entry]) => {
      const size = entry?.borderBoxSize[0]?.inlineSize;
      if (size) setWidth(size);
    });
    observer.observe(panel.current);
    return () => observer.disconnect();
  }, [panel]);
  return width;
}

type Drag = { from: number; width: number; next: number | null; frame: number };

/** Drags the end of the panel: one measurement at the start, then one write a frame. The width is stored at the end. */
function useDrag(panel: RefObject<HTMLElement | null>) {
  const drag = useRef<Drag | null>(null);
  const paint = (px: number | null) => {
    if (panel.current) panel.current.style.width = px === null ? "" : `${px}px`;
  };
  const end = (isCancelled: boolean): boolean => {
    const ended = drag.current;
    if (!ended) return false;
    drag.current = null;
    cancelAnimationFrame(ended.frame);
    if (isCancelled || ended.next === null) {
      paint(sidebarWidth.get());
    } else {
      paint(ended.next);
      setSidebarWidth(ended.next);
    }
    return true;
  };
  return {
    cancel: () => end(true),
    listeners: {
      onPointerDown: (event: PointerEvent) => {
        if (event.button !== 0 || !event.isPrimary || !panel.current) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { from: event.clientX, width: panel.current.offsetWidth, next: null, frame: 0 };
      },
      onPointerMove: (event: PointerEvent) => {
        const { current } = drag;
        if (!current) return;
        const way = (event.clientX - current.from) * (document.dir === "rtl" ? -1 : 1);
        if (way === 0 && current.next === null) return;
        current.next = Math.round(limited(current.width + way));
        cancelAnimationFrame(current.frame);
        current.frame = requestAnimationFrame(() => paint(current.next));
      },
      onPointerUp: () => void end(false),
      onPointerCancel: () => void end(true),
      onLostPointerCapture: () => void end(true),
    },
  };
}
