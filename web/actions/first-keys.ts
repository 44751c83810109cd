import type { Press } from "../ui/keys/press.ts";

/** What is heard before the rest of the keys is there: as `shortcuts` says, which comes with the rest. */
export const firstKeys = {
  palette: [{ key: "k", isMod: true }],
  shortcuts: [{ key: "?" }, { key: "/", isMod: true }],
  newChat: [{ key: "o", isMod: true, isShift: true }],
} satisfies Record<string, readonly Press[]>;

export type FirstAction = keyof typeof firstKeys;
