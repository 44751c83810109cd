import { useEffect, useState } from "react";
import { log } from "../../app/log.ts";
import { FormulaSearch } from "./formula-search.ts";

type Maths = typeof import("./maths.ts");

let loaded: Maths | null = null;

/** `awaitedFrom`: where the first formula begins while what sets it is on its way. */
type Met = { maths: Maths | null; awaitedFrom: number | null };

/** What sets formulas, once the text has one and the part is there. */
export function useMaths(text: string): Met {
  const [maths, setMaths] = useState(loaded);
  const [hasFailed, setFailed] = useState(false);
  const [search] = useState(() => new FormulaSearch());
  const met = search.find(text);
  const isMet = met !== null;
  useEffect(() => {
    if (!isMet || maths) return;
    let isWanted = true;
    import("./maths.ts").then(
      (module) => {
        loaded = module;
        if (isWanted) setMaths(module);
      },
      (cause: unknown) => {
        log.warn("Formulas stay as they were written", cause);
        if (isWanted) setFailed(true);
      },
    );
    return () => {
      isWanted = false;
    };
  }, [isMet, maths]);
  return { maths: isMet ? maths : null, awaitedFrom: maths || hasFailed ? null : met };
}
