import { isApple, type Press } from "./press.ts";

/** Label of the Alt key on this keyboard. */
export const altKeyName = (): string => (isApple() ? "⌥" : "Alt");

/** Alt with another key, in the notation of menus. */
export const altWith = (key: string | number): string => (isApple() ? `⌥${key}` : `Alt+${key}`);

/** Labels of the keys whose name depends on the language. */
export type KeyWords = Record<"ctrl" | "shift" | "enter" | "escape" | "delete" | "backspace" | "home" | "end", string>;

/** Returns the labels of a press key by key, in the order in which they are held down. */
export function keysOf({ key, isMod, isShift, isAlt }: Press, words: KeyWords): string[] {
  const [mod, shift, alt] = isApple() ? ["⌘", "⇧", "⌥"] : [words.ctrl, words.shift, "Alt"];
  const held = isApple()
    ? [isAlt && alt, isShift && shift, isMod && mod]
    : [isMod && mod, isAlt && alt, isShift && shift];
  return [...held.filter((name) => typeof name === "string"), nameOf(key, words)];
}

/** A press as one string, for a sentence. */
export const pressName = (press: Press, words: KeyWords): string => keysOf(press, words).join(isApple() ? "" : "+");

function nameOf(key: string, words: KeyWords): string {
  const names: Partial<Record<string, string>> = {
    ArrowUp: "↑",
    ArrowDown: "↓",
    ArrowLeft: "←",
    ArrowRight: "→",
    Enter: isApple() ? "↩" : words.enter,
    Escape: words.escape,
    Delete: isApple() ? "⌦" : words.delete,
    Backspace: isApple() ? "⌫" : words.backspace,
    Home: words.home,
    End: words.end,
  };
  return names[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}

/** A press in the syntax of `aria-keyshortcuts`. */
export function ariaKeys({ key, isMod, isShift, isAlt }: Press): string {
  const mod = isApple() ? "Meta" : "Control";
  const held = [isMod && mod, isAlt && "Alt", isShift && "Shift"].filter((name) => typeof name === "string");
  return [...held, key.length === 1 ? key.toUpperCase() : key].join("+");
}
