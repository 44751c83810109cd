/** Registry of all shortcuts: the single source for key listeners, labels and the list of shortcuts. */

import { fits, isApple, type Press } from "./press.ts";

export const shortcutGroups = ["general", "chat", "writing", "list", "search"] as const;
export type ShortcutGroup = (typeof shortcutGroups)[number];

/** Scope of a key: an inner scope may give another meaning to a key of the outer scope. */
export type ShortcutScope = "page" | "box" | "edit" | "list" | "palette";

export type Shortcut = { group: ShortcutGroup; scope: ShortcutScope; keys: readonly Press[] };

const define = <Id extends string>(all: Record<Id, Shortcut>): Readonly<Record<Id, Shortcut>> => all;

export const shortcuts = define({
  palette: { group: "general", scope: "page", keys: [{ key: "k", isMod: true }] },
  shortcuts: { group: "general", scope: "page", keys: [{ key: "?" }, { key: "/", isMod: true }] },
  newChat: { group: "general", scope: "page", keys: [{ key: "o", isMod: true, isShift: true }] },
  // Firefox has its bookmarks on this key, and lets a page use it.
  sidebar: { group: "general", scope: "page", keys: [{ key: "b", isMod: true }] },
  settings: { group: "general", scope: "page", keys: [{ key: ",", isMod: true, isShift: true }] },
  notification: { group: "general", scope: "page", keys: [{ key: "F6" }] },

  stop: { group: "chat", scope: "page", keys: [{ key: "Escape" }] },
  copyAnswer: { group: "chat", scope: "page", keys: [{ key: "c", isMod: true, isShift: true }] },
  regenerate: { group: "chat", scope: "page", keys: [{ key: "r", isAlt: true }] },
  chooseModel: { group: "chat", scope: "page", keys: [{ key: "m", isAlt: true }] },
  choosePreset: { group: "chat", scope: "page", keys: [{ key: "1…9", isAlt: true }] },
  noPreset: { group: "chat", scope: "page", keys: [{ key: "0", isAlt: true }] },
  // If there is nothing to print, the browser prints the page.
  print: { group: "chat", scope: "page", keys: [{ key: "p", isMod: true }] },
  rename: { group: "chat", scope: "page", keys: [{ key: "F2" }] },

  focusBox: { group: "writing", scope: "page", keys: [{ key: "/" }, { key: "Escape", isShift: true }] },
  send: { group: "writing", scope: "box", keys: [{ key: "Enter" }] },
  newLine: { group: "writing", scope: "box", keys: [{ key: "Enter", isShift: true }] },
  editLast: { group: "writing", scope: "box", keys: [{ key: "ArrowUp" }] },
  cancelEdit: { group: "writing", scope: "edit", keys: [{ key: "Escape" }] },
  attach: { group: "writing", scope: "page", keys: [{ key: "a", isAlt: true }] },
  quote: { group: "writing", scope: "page", keys: [{ key: "q", isAlt: true }] },

  previousChat: { group: "list", scope: "page", keys: [{ key: "ArrowUp", isAlt: true }] },
  nextChat: { group: "list", scope: "page", keys: [{ key: "ArrowDown", isAlt: true }] },
  stepLine: { group: "list", scope: "list", keys: [{ key: "ArrowUp" }, { key: "ArrowDown" }] },
  endsOfList: { group: "list", scope: "list", keys: [{ key: "Home" }, { key: "End" }] },
  acrossLine: { group: "list", scope: "list", keys: [{ key: "ArrowRight" }, { key: "ArrowLeft" }] },
  lineMenu: { group: "list", scope: "list", keys: [{ key: "F10", isShift: true }] },
  renameLine: { group: "list", scope: "list", keys: [{ key: "F2" }] },
  // Apple's compact keyboards have no Delete key.
  deleteLine: {
    group: "list",
    scope: "list",
    keys: [isApple() ? { key: "Backspace", isMod: true } : { key: "Delete" }],
  },
  undo: { group: "list", scope: "page", keys: [{ key: "z", isMod: true }] },

  step: { group: "search", scope: "palette", keys: [{ key: "ArrowUp" }, { key: "ArrowDown" }] },
  ends: { group: "search", scope: "palette", keys: [{ key: "Home" }, { key: "End" }] },
  open: { group: "search", scope: "palette", keys: [{ key: "Enter" }] },
  close: { group: "search", scope: "palette", keys: [{ key: "Escape" }] },
});

export type ShortcutId = keyof typeof shortcuts;

export const isShortcut = (id: string): id is ShortcutId => id in shortcuts;

/** Whether Enter alone sends: by a setting in `appearance.ts`, else where a touch is not the main pointer. */
export function enterSends(): boolean {
  const { send } = document.documentElement.dataset;
  return send === undefined ? !window.matchMedia("(pointer: coarse)").matches : send === "enter";
}

/** Returns the current keys of a shortcut: Enter may start a new line instead. */
export function keysNow(id: ShortcutId): readonly Press[] {
  const isEnterForLines = !enterSends();
  if (isEnterForLines && id === "send") return [{ key: "Enter", isMod: true }];
  return isEnterForLines && id === "newLine" ? [{ key: "Enter" }] : shortcuts[id].keys;
}

/** Returns the press of the shortcut that matches the event, if any. */
export const pressOf = (event: KeyboardEvent, id: ShortcutId): Press | undefined =>
  shortcuts[id].keys.find((press) => fits(event, press));

export const isPressed = (event: KeyboardEvent, id: ShortcutId): boolean => pressOf(event, id) !== undefined;
