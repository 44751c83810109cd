import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import "../testing/english-texts.ts";
import texts from "../locales/en/actions.json";
import { keysOf } from "../ui/keys/key-names.ts";
import { fits, type Press } from "../ui/keys/press.ts";
import { isShortcut, type ShortcutId, type ShortcutScope, shortcuts } from "../ui/keys/shortcuts.ts";
import { type FirstAction, firstKeys, printKeys } from "./first-keys.ts";
import { actions } from "./registry.ts";
import { ShortcutsDialog } from "./shortcuts-dialog.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ids = Object.keys(shortcuts) as ShortcutId[];
const nameOf = ({ key, isMod, isShift, isAlt }: Press) =>
  [isMod && "Mod", isAlt && "Alt", isShift && "Shift", key].filter(Boolean).join("+");
const pressesOf = (...scopes: ShortcutScope[]) =>
  ids.filter((id) => scopes.includes(shortcuts[id].scope)).flatMap((id) => shortcuts[id].keys.map(nameOf));

const withMod = (keys: string) => keys.split(" ").map((key) => `Mod+${key}`);
const withShift = (keys: string) => keys.split(" ").map((key) => `Mod+Shift+${key}`);

/**
 * Shortcuts that Chrome, Edge, Firefox or Safari reserve on Windows, macOS or Linux, or that people would miss. Mod+K
 * and Mod+Z are not among them: pages may use them, and similar applications do. Nor is F6, which moves on to the
 * browser's toolbars if there is no notification.
 */
const browsersOwn = [
  ...withMod("n t w q l r f g p s d h j o u a c v x y m b e i 0 1 9 + - = Tab Enter , ` ["),
  ...withShift("n t w q p i j k b a d g m o c r v x y z 3 4 5 Delete Tab"),
  ...["F1", "F3", "F5", "F7", "F11", "F12", "Alt+F4", "Alt+d", "Alt+e", "Alt+f", "Alt+Home"],
  ...["Alt+ArrowLeft", "Alt+ArrowRight", "Alt+Tab", "Alt+ "],
];
/**
 * Exceptions: browsers let a page use them, chat applications use them for the same actions, and the browser's own
 * meaning (Chrome's and Firefox's bookmarks, the developer tools' inspector, printing) is also in a menu.
 */
const takenKnowingly = [...withShift("o"), ...withMod("b"), ...withShift("c"), ...withMod("p")];

test("each shortcut is unambiguous in its scope", () => {
  for (const scopes of [["page", "box"], ["page", "edit"], ["list"], ["palette"]] as ShortcutScope[][]) {
    // In an edit box Escape ends the edit rather than a running reply.
    const presses = pressesOf(...scopes).filter((name) => scopes[1] !== "edit" || name !== "Escape");
    expect(presses).toEqual([...new Set(presses)]);
  }
  expect(actions.map(({ id }) => id)).toEqual([...new Set(actions.map(({ id }) => id))]);
  // The shortcut of an action must be in a scope that its listener handles.
  for (const { id } of actions.filter((action) => isShortcut(action.id)))
    expect(["page", "box"]).toContain(isShortcut(id) && shortcuts[id].scope);
});

test("the shortcuts that work first match the registry", () => {
  for (const id of Object.keys(firstKeys) as FirstAction[]) expect(firstKeys[id]).toEqual(shortcuts[id].keys);
  expect(printKeys).toEqual(shortcuts.print.keys);
});

test("no shortcut is the browser's own, except four deliberate ones", () => {
  const taken = new Set(browsersOwn);
  expect(pressesOf("page", "box", "edit", "list", "palette").filter((name) => taken.has(name))).toEqual(takenKnowingly);
});

test("every shortcut is in the list of shortcuts, with a name", () => {
  render(<ShortcutsDialog onClose={() => {}} />);
  const lines = screen
    .getAllByRole("term")
    .map((term) => `${term.textContent}: ${term.nextElementSibling?.textContent}`);
  expect(lines).toHaveLength(ids.length);
  expect(new Set(lines).size).toBe(ids.length);
  for (const id of ids) {
    for (const press of shortcuts[id].keys) {
      const names = keysOf(press, texts.key).join("");
      expect(lines.some((line) => line.split(": ").at(-1)?.split(texts.or).includes(names))).toBe(true);
    }
  }
  expect(lines).toContain("Stop the answer: Esc");
  expect(lines).toContain("Keyboard shortcuts: ?orCtrl/");
});

const event = (key: string, held: KeyboardEventInit = {}) => new KeyboardEvent("keydown", { key, ...held });

test("keys are matched by their character, else by their position, with ⌘ on Apple's keyboards", () => {
  const newChat = shortcuts.newChat.keys[0] as Press;
  expect(fits(event("O", { ctrlKey: true, shiftKey: true }), newChat)).toBe(true);
  expect(fits(event("o", { ctrlKey: true }), newChat)).toBe(false);
  expect(fits(event("O", { ctrlKey: true, shiftKey: true, metaKey: true }), newChat)).toBe(false);
  expect(fits(event("Щ", { ctrlKey: true, shiftKey: true, code: "KeyO" }), newChat)).toBe(true);
  expect(fits(event("R", { ctrlKey: true, shiftKey: true, code: "KeyO" }), newChat)).toBe(false);
  expect(fits(event("/", { ctrlKey: true, shiftKey: true }), { key: "/", isMod: true })).toBe(true);
  vi.stubGlobal("navigator", { ...navigator, platform: "MacIntel" });
  expect(fits(event("O", { ctrlKey: true, shiftKey: true }), newChat)).toBe(false);
  expect(fits(event("O", { metaKey: true, shiftKey: true }), newChat)).toBe(true);
  expect(fits(event("®", { altKey: true, code: "KeyR" }), { key: "r", isAlt: true })).toBe(true);
  expect(keysOf(newChat, texts.key).join("")).toBe("⇧⌘O");
});

test("actions that are hard to undo are marked as drastic", () => {
  const drastic = actions.filter(({ isDanger, isDrastic }) => isDanger || isDrastic).map(({ id }) => id);
  expect(drastic.sort()).toEqual(["delete", "regenerate", "retry", "signOut"]);
});
