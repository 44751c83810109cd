import { Download } from "lucide-react";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AttachedFile } from "#contract/files/files.ts";
import { Button } from "../../ui/components/button.tsx";
import { cx } from "../../ui/components/cx.ts";
import { Spinner } from "../../ui/components/spinner.tsx";
import { useDownload } from "../shown/use-download.ts";
import { PageCanvas } from "./page-canvas.tsx";
import type { PdfPages } from "./pdf-pages.ts";
import { type UndrawnReason, usePdf } from "./use-pdf.ts";

/** Pages of one list: more would be too many elements. */
const MAX_PAGES = 1000;
/** Space beside the pages, and their greatest width at scale 1, in CSS pixels. */
const MARGIN = 24;
const WIDEST = 960;

type PdfColumnProps = {
  file: AttachedFile;
  scale: number;
  /** The element that scrolls, whatever it shows. */
  scroller: RefObject<HTMLElement | null>;
  /** Called with whether there are pages. */
  onDrawn: (isDrawn: boolean) => void;
  className: string;
};

/** The pages of a PDF below each other; those near the view are drawn. */
export function PdfColumn({ file, scale, scroller, onDrawn, className }: PdfColumnProps) {
  const { t } = useTranslation("files");
  const pdf = usePdf(file);
  const width = useClientWidth(scroller);
  const isDrawn = pdf.kind === "open";
  const retry = () => {
    // The retry button is removed: move the focus first.
    scroller.current?.focus();
    pdf.retry();
  };
  useEffect(() => onDrawn(isDrawn), [isDrawn, onDrawn]);
  useScaledPosition(scroller, scale);
  return (
    <section
      ref={scroller}
      aria-label={t("viewer.pages")}
      // A page that is wider than its column begins at the left in every language.
      dir={isDrawn ? "ltr" : undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
      tabIndex={0}
      className={cx(
        "flex flex-col overflow-auto overscroll-contain bg-sunken focus-visible:-outline-offset-2",
        className,
      )}
    >
      {pdf.kind === "loading" && (
        <p role="status" className="flex flex-1 items-center justify-center gap-2 text-muted text-sm">
          <Spinner />
          {t("viewer.drawing")}
        </p>
      )}
      {pdf.kind === "undrawn" && <Undrawn file={file} reason={pdf.reason} onRetry={retry} />}
      {pdf.kind === "open" && <PageList pdf={pdf.pages} width={Math.min(width - MARGIN, WIDEST) * scale} />}
    </section>
  );
}

/** Returns the width of an element within its borders and scroll bars, in CSS pixels; 0 before it is laid out. */
function useClientWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** Keeps the middle of a scroll container in its position when its content is scaled. */
function useScaledPosition(scroller: RefObject<HTMLElement | null>, scale: number): void {
  const former = useRef(scale);
  useLayoutEffect(() => {
    const factor = scale / former.current;
    former.current = scale;
    const { current } = scroller;
    if (!current || factor === 1) return;
    const scaled = (start: number, length: number) => (start + length / 2) * factor - length / 2;
    current.scrollTop = scaled(current.scrollTop, current.clientHeight);
    current.scrollLeft = scaled(current.scrollLeft, current.clientWidth);
  }, [scroller, scale]);
}

function PageList({ pdf, width }: { pdf: PdfPages; width: number }) {
  const { t } = useTranslation("files");
  const count = Math.min(pdf.count, MAX_PAGES);
  if (width <= 0) return null;
  return (
    <ol className="flex w-fit min-w-full flex-col items-center gap-3 p-3">
      {Array.from({ length: count }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a page is identified by its number
        <li key={at}>
          <PageCanvas pdf={pdf} number={at + 1} width={width} />
        </li>
      ))}
      {pdf.count > count && (
        <li className="p-3 text-center text-muted text-sm">{t("viewer.furtherPages", { count: pdf.count - count })}</li>
      )}
    </ol>
  );
}

type UndrawnProps = { file: AttachedFile; reason: UndrawnReason; onRetry: () => void };

/** Says why there are no pages, and offers what helps. */
function Undrawn({ file, reason, onRetry }: UndrawnProps) {
  const { t } = useTranslation("files");
  const { download, isBusy } = useDownload(file);
  const canRetry = reason === "unreached" || reason === "missing";
  return (
    <div className="m-auto flex max-w-sm flex-col items-center gap-3 p-4 text-center text-sm leading-text">
      <p role="alert">{t(`undrawn.${reason}`)}</p>
      {canRetry && (
        <Button variant="secondary" size="small" onClick={onRetry}>
          {t("retry")}
        </Button>
      )}
      {!canRetry && reason !== "gone" && (
        <Button variant="secondary" size="small" busy={isBusy} onClick={download}>
          {!isBusy && <Download aria-hidden="true" className="size-4" />}
          {t("download")}
        </Button>
      )}
    </div>
  );
}
