import type { Press } from "../ui/keys/press.ts";

/** Shortcuts that work before the others are loaded: a copy of their definitions in `shortcuts`. */
export const firstKeys = {
  palette: [{ key: "k", isMod: true }],
  shortcuts: [{ key: "?" }, { key: "/", isMod: true }],
  newChat: [{ key: "o", isMod: true, isShift: true }],
} satisfies Record<string, readonly Press[]>;

/** As {@link firstKeys}, in an open chat only: elsewhere the browser prints the page. */
export const printKeys: readonly Press[] = [{ key: "p", isMod: true }];

export type FirstAction = keyof typeof firstKeys;
