import { useLayoutEffect, useState } from "react";
import type { DiagramTheme } from "../../sandbox/diagram-messages.ts";
import { subscribeAppearance } from "../../ui/appearance/appearance.ts";

const QUERIES = ["(prefers-color-scheme: dark)", "(prefers-contrast: more)", "(forced-colors: active)"];
const SYSTEM = {
  ...{ page: "Canvas", raised: "Canvas", sunken: "Canvas", hairline: "CanvasText" },
  ...{ muted: "CanvasText", ink: "CanvasText", accent: "LinkText" },
} satisfies DiagramTheme;

/** Reads the computed colours of the page, or of its light theme on white paper, from a probe element. Call it only in an effect. */
function readTheme(isLight: boolean): DiagramTheme {
  const isForced = !isLight && matchMedia("(forced-colors: active)").matches;
  const probe = document.createElement("span");
  if (isLight) probe.dataset.theme = "light";
  probe.style.setProperty("forced-color-adjust", "none");
  document.body.append(probe);
  const colour = (name: keyof DiagramTheme) => {
    probe.style.color = isForced ? SYSTEM[name] : `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const theme = {
    page: isLight ? "rgb(255, 255, 255)" : colour("page"),
    raised: colour("raised"),
    sunken: colour("sunken"),
    hairline: colour("hairline"),
    muted: colour("muted"),
    ink: colour("ink"),
    accent: colour("accent"),
  };
  probe.remove();
  return theme;
}

function subscribe(listener: () => void): () => void {
  const queries = QUERIES.map((query) => matchMedia(query));
  for (const query of queries) query.addEventListener("change", listener);
  const unsubscribe = subscribeAppearance(listener);
  return () => {
    for (const query of queries) query.removeEventListener("change", listener);
    unsubscribe();
  };
}

/** Returns the colours of the page, or of its light theme; null before the first layout effect, then the same object until a colour changes. */
export function useDiagramTheme(isLight = false): DiagramTheme | null {
  const [theme, setTheme] = useState<DiagramTheme | null>(null);
  useLayoutEffect(() => {
    const take = () => {
      const now = readTheme(isLight);
      setTheme((before) => (before && areSame(before, now) ? before : now));
    };
    take();
    return subscribe(take);
  }, [isLight]);
  return theme;
}

const areSame = (one: DiagramTheme, other: DiagramTheme) => Object.values(one).join() === Object.values(other).join();
