/**
 * How this browser shows the application, whoever is signed in. `public/appearance.js` reads what was kept, checks it and
 * puts it on the root element before the first paint; here it is read from there, and changed.
 */

import { writeStorage } from "../../storage/browser-storage.ts";
import { Emitter } from "../../store/emitter.ts";

export const APPEARANCE_KEY = "parley.appearance";

/** The first of each is the usual one. */
export const appearanceChoices = {
  theme: ["system", "light", "dark"],
  contrast: ["system", "more"],
  motion: ["system", "less"],
  typeface: ["sans", "serif"],
  size: ["medium", "small", "large", "larger"],
  code: ["scroll", "wrap"],
  /** Which key sends what is written: `mod` is Ctrl, or Command on a Mac. */
  send: ["enter", "mod-enter"],
} as const;

type Choices = typeof appearanceChoices;
export type AppearanceName = keyof Choices;
const names = Object.keys(appearanceChoices) as AppearanceName[];
export type Appearance = { [Name in AppearanceName]: Choices[Name][number] };

export const usualAppearance: Appearance = {
  theme: "system",
  contrast: "system",
  motion: "system",
  typeface: "sans",
  size: "medium",
  code: "scroll",
  send: "enter",
};

export function currentAppearance(): Appearance {
  const { theme, contrast, motion, typeface, size, code, send } = document.documentElement.dataset;
  const own = { theme, contrast, motion, typeface, size, code, send };
  return { ...usualAppearance, ...Object.fromEntries(Object.entries(own).filter(([, value]) => value)) };
}

/** Shown at once, in all tabs of this browser; where it cannot be kept, on this page alone. Only what differs is kept. */
export function changeAppearance(change: Partial<Appearance>): void {
  const next = { ...currentAppearance(), ...change };
  const own = Object.entries(next).filter(([name, value]) => value !== usualAppearance[name as AppearanceName]);
  const text = JSON.stringify(Object.fromEntries(own));
  writeStorage(APPEARANCE_KEY, own.length === 0 ? null : text, "The appearance");
  window.dispatchEvent(new CustomEvent(APPEARANCE_KEY, { detail: text }));
}

const changes = new Emitter(() => {
  const observer = new MutationObserver(changes.notify);
  observer.observe(document.documentElement, { attributeFilter: names.map((name) => `data-${name}`) });
  return () => observer.disconnect();
});

/** Calls `listener` after each change, by this page or another tab. All listeners share one observer. */
export const subscribeAppearance = changes.subscribe;
