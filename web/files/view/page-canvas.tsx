import { type RefObject, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "../../ui/components/cx.ts";
import { useDebounced } from "../../ui/use-debounced.ts";
import { useNear } from "../../ui/use-near.ts";
import type { Size } from "../../ui/zoom/view.ts";
import type { PdfPages } from "./pdf-pages.ts";

/** Time without another zoom after which a page is drawn at its new size. */
const ZOOM_MS = 200;
/** A page that is longer or wider is shown in this proportion, so that no number of pages is near the view at once. */
const MOST_RATIO = 6;

type PageCanvasProps = { pdf: PdfPages; number: number /** In CSS pixels. */; width: number };

/** A page, drawn while it is near the view. */
export function PageCanvas({ pdf, number, width }: PageCanvasProps) {
  const { t } = useTranslation("files");
  const element = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { size, state } = useDrawnPage({ pdf, number, width, canvas, isNear: useNear(element) });
  const ratio = Math.min(Math.max(size.width / size.height, 1 / MOST_RATIO), MOST_RATIO);
  const name = t("viewer.page", { n: number, count: pdf.count });
  return (
    <div
      ref={element}
      role="img"
      aria-label={state === "failed" ? `${name}. ${t("undrawn.page")}` : name}
      style={{ width, aspectRatio: ratio }}
      // Paper is white in dark mode too.
      className="relative bg-[#fff] shadow-sm"
    >
      <canvas ref={canvas} className={cx("size-full object-contain", state !== "drawn" && "invisible")} />
      {state === "failed" && (
        <span className="absolute inset-0 flex items-center justify-center p-3 text-[#555] text-sm">
          {t("undrawn.page")}
        </span>
      )}
    </div>
  );
}

type Wanted = PageCanvasProps & { canvas: RefObject<HTMLCanvasElement | null>; isNear: boolean };

/** Draws a page into a canvas while it is near, and frees the canvas otherwise. Returns its size in points. */
function useDrawnPage({ pdf, number, width, canvas, isNear }: Wanted) {
  const [size, setSize] = useState<Size>(pdf.first);
  const [state, setState] = useState<"blank" | "drawn" | "failed">("blank");
  const settledWidth = useDebounced(width, ZOOM_MS);
  useEffect(() => {
    if (!isNear) return;
    const abort = new AbortController();
    pdf.draw(number, Math.ceil(settledWidth * devicePixelRatio), abort.signal).then(
      (drawn) => {
        if (drawn) paint(canvas.current, drawn.bitmap);
        if (drawn) setSize(drawn.size);
        setState(drawn ? "drawn" : "failed");
      },
      // The page was left, or the worker has ended: the column shows that.
      () => undefined,
    );
    return () => abort.abort();
  }, [pdf, number, settledWidth, canvas, isNear]);
  useEffect(() => {
    if (isNear) return;
    canvas.current?.getContext("bitmaprenderer")?.transferFromImageBitmap(null);
    setState("blank");
  }, [canvas, isNear]);
  return { size, state };
}

/** Moves a bitmap into a canvas without copying it. */
function paint(canvas: HTMLCanvasElement | null, bitmap: ImageBitmap): void {
  if (!canvas) return void bitmap.close();
  // A bitmap does not change the proportion in which the element is laid out.
  Object.assign(canvas, { width: bitmap.width, height: bitmap.height });
  canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(bitmap);
}
