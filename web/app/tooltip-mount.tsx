import { useEffect, useRef, useState } from "react";
import { lazyModule, useLazyModule } from "../ui/lazy/lazy-module.ts";

const layerModule = lazyModule(() => import("../ui/tooltips/tooltip-layer.tsx"));

/** Loads the tooltips once a pointer that can hover, or the Tab key, is used. */
export function TooltipMount() {
  const [wantedBy, setWantedBy] = useState<"pointer" | "key" | null>(null);
  const isWanted = wantedBy !== null;
  const layer = useLazyModule(layerModule, isWanted);
  // The element under a pointer that has pressed gets no tooltip.
  const pressedAt = useRef<PointerEvent>(null);
  useEffect(() => {
    const onPress = (event: PointerEvent) => {
      pressedAt.current = event;
    };
    document.addEventListener("pointerdown", onPress, { capture: true });
    return () => document.removeEventListener("pointerdown", onPress, { capture: true });
  }, []);
  useEffect(() => {
    if (isWanted) return;
    const onPointer = ({ pointerType }: PointerEvent) => pointerType !== "touch" && setWantedBy("pointer");
    const onKey = ({ key }: KeyboardEvent) => key === "Tab" && setWantedBy("key");
    document.addEventListener("pointerover", onPointer);
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("pointerover", onPointer);
      document.removeEventListener("keydown", onKey);
    };
  }, [isWanted]);
  return layer && <layer.default loadedBy={wantedBy} pressedAt={pressedAt} />;
}
