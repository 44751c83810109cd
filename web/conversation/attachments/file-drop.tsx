import { useEffect, useEffectEvent, useState } from "react";
import { FileDrags } from "../../files/attach/file-drags.ts";
import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";

/** Loaded with the first file that is dragged over the window. */
const overlayModule = lazyModule(() => import("../../files/attach/drop-overlay.tsx"));

/** Takes what is dropped anywhere on the page, and covers the page while files are dragged over it. */
export function FileDrop({ onDrop }: { onDrop: (transfer: DataTransfer) => void }) {
  const [isOver, setOver] = useState(false);
  const overlay = useLazyModule(overlayModule, isOver);
  const drop = useEffectEvent(onDrop);
  useEffect(() => {
    const drags = new FileDrags((transfer) => drop(transfer));
    const unsubscribe = drags.isOver.subscribe(() => setOver(drags.isOver.get()));
    return () => {
      unsubscribe();
      drags.dispose();
    };
  }, []);
  return isOver && overlay ? <overlay.default /> : null;
}
