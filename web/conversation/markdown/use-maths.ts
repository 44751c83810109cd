import { useEffect, useState } from "react";
import { log } from "../../app/log.ts";

type Maths = typeof import("./maths.ts");

let loaded: Maths | null = null;

const hasFormula = (text: string) => text.includes("$$") || text.includes("\\(") || text.includes("\\[");

/** What sets formulas, once the text has one and the part is there. */
export function useMaths(text: string): Maths | null {
  const [maths, setMaths] = useState(loaded);
  const isMet = hasFormula(text);
  useEffect(() => {
    if (!isMet || maths) return;
    let isWanted = true;
    import("./maths.ts").then(
      (module) => {
        loaded = module;
        if (isWanted) setMaths(module);
      },
      (cause: unknown) => log.warn("Formulas stay as they were written", cause),
    );
    return () => {
      isWanted = false;
    };
  }, [isMet, maths]);
  return isMet ? maths : null;
}
