/**
 * Appearance settings of this browser. `accounts/account-preferences.ts` lets them follow the account. `public/appearance.js` validates the stored ones and
 * sets them on the root element before the first paint; this module reads them from there and changes them.
 */

import { appearanceChoices } from "#contract/accounts/preferences.ts";
import { writeStorage } from "../../storage/browser-storage.ts";
import { Emitter } from "../../store/emitter.ts";

export const APPEARANCE_KEY = "parley.appearance";

type Choices = typeof appearanceChoices;
export type AppearanceName = keyof Choices;
const names = Object.keys(appearanceChoices) as AppearanceName[];
export type Appearance = { [Name in AppearanceName]: Choices[Name][number] };

export const usualAppearance: Appearance = {
  theme: "system",
  contrast: "system",
  motion: "system",
  typeface: "serif",
  size: "medium",
  code: "scroll",
  reasoning: "remember",
  send: "device",
};

export function currentAppearance(): Appearance {
  const { theme, contrast, motion, typeface, size, code, reasoning, send } = document.documentElement.dataset;
  const own = { theme, contrast, motion, typeface, size, code, reasoning, send };
  return { ...usualAppearance, ...Object.fromEntries(Object.entries(own).filter(([, value]) => value)) };
}

/**
 * Applies a change at once in all tabs of this browser, or on this page alone if it cannot be stored. Stores only
 * values that differ from the defaults.
 */
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

/** Calls `listener` after each change by this page or another tab. All listeners share one observer. */
export const subscribeAppearance = changes.subscribe;
