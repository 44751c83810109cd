import { type KeyboardEvent, useState } from "react";
import type { ZoomControls } from "./viewer-buttons.tsx";

const STEP = 1.25;
const LEAST = 0.5;
/** Beyond this a page is wider than its picture may be. */
const MOST = 4;

type PageZoom = ZoomControls & { onKeyDown: (event: KeyboardEvent) => void };

/** Scale of the pages of a document, 1 where a page is as wide as its column. @param isReady whether there are pages */
export function usePageZoom(isReady: boolean): PageZoom {
  const [scale, setScale] = useState(1);
  const zoomIn = () => setScale((now) => Math.min(now * STEP, MOST));
  const zoomOut = () => setScale((now) => Math.max(now / STEP, LEAST));
  const showAll = () => setScale(1);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isReady || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+" || event.key === "=") zoomIn();
    else if (event.key === "-" || event.key === "−") zoomOut();
    else if (event.key === "0") showAll();
    else return;
    event.preventDefault();
  };
  return {
    scale: isReady ? scale : null,
    canZoomIn: scale < MOST,
    canZoomOut: scale > LEAST,
    isWhole: scale === 1,
    zoomIn,
    zoomOut,
    showAll,
    onKeyDown,
  };
}
