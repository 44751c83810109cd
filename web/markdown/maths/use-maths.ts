import { useState } from "react";
import { useStore } from "../../store/use-store.ts";
import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";
import { usePrintHold } from "../print-work.ts";
import { FormulaSearch } from "./formula-search.ts";

export const mathsModule = lazyModule(() => import("./maths.ts"));

/** `awaitedFrom`: position of the first formula while the module is loading; else null. */
type Met = { maths: typeof import("./maths.ts") | null; awaitedFrom: number | null };

/** Loads the maths module once the text has a formula. If loading fails, formulas stay as written. */
export function useMaths(text: string): Met {
  const [search] = useState(() => new FormulaSearch());
  const met = search.find(text);
  const maths = useLazyModule(mathsModule, met !== null) ?? null;
  const isMissing = useStore({ subscribe: mathsModule.subscribe, get: mathsModule.isMissing });
  const awaitedFrom = maths || isMissing ? null : met;
  usePrintHold(awaitedFrom !== null, met !== null && isMissing);
  return { maths, awaitedFrom };
}
