import { useState } from "react";
import { useStore } from "../../store/use-store.ts";
import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";
import { FormulaSearch } from "./formula-search.ts";

const mathsModule = lazyModule(() => import("./maths.ts"));

/** `awaitedFrom`: where the first formula begins while what sets it is on its way. */
type Met = { maths: typeof import("./maths.ts") | null; awaitedFrom: number | null };

/** What sets formulas, once the text has one and the part is there. Where it cannot be had they stay as written. */
export function useMaths(text: string): Met {
  const [search] = useState(() => new FormulaSearch());
  const met = search.find(text);
  const maths = useLazyModule(mathsModule, met !== null) ?? null;
  const isMissing = useStore({ subscribe: mathsModule.subscribe, get: mathsModule.isMissing });
  return { maths, awaitedFrom: maths || isMissing ? null : met };
}
