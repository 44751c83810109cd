import { isApple, type Press } from "./press.ts";

/** What stands on the keyboard for Alt. */
export const altKeyName = (): string => (isApple() ? "⌥" : "Alt");

/** Alt with another key, as menus name it. */
export const altWith = (key: string | number): string => (isApple() ? `⌥${key}` : `Alt+${key}`);

/** What stands on keys of the keyboard; those that differ by language as it says them. */
export type KeyWords = Record<"ctrl" | "shift" | "enter" | "escape" | "delete" | "backspace" | "home" | "end", string>;

/** The keys of a press one by one, as they are held down and as keyboards name them. */
export function keysOf({ key, isMod, isShift, isAlt }: Press, words: KeyWords): string[] {
  const [mod, shift, alt] = isApple() ? ["⌘", "⇧", "⌥"] : [words.ctrl, words.shift, "Alt"];
  const held = isApple()
    ? [isAlt && alt, isShift && shift, isMod && mod]
    : [isMod && mod, isAlt && alt, isShift && shift];
  return [...held.filter((name) => typeof name === "string"), nameOf(key, words)];
}

/** A press in one word, for a sentence. */
export const pressName = (press: Press, words: KeyWords): string => keysOf(press, words).join(isApple() ? "" : "+");

function nameOf(key: string, words: KeyWords): string {
  const names: Partial<Record<string, string>> = {
    ArrowUp: "↑",
    ArrowDown: "↓",
    Enter: isApple() ? "↩" : words.enter,
    Escape: words.escape,
    Delete: isApple() ? "⌦" : words.delete,
    Backspace: isApple() ? "⌫" : words.backspace,
    Home: words.home,
    End: words.end,
  };
  return names[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}

/** A press as `aria-keyshortcuts` names it. */
export function ariaKeys({ key, isMod, isShift, isAlt }: Press): string {
  const mod = isApple() ? "Meta" : "Control";
  const held = [isMod && mod, isAlt && "Alt", isShift && "Shift"].filter((name) => typeof name === "string");
  return [...held, key.length === 1 ? key.toUpperCase() : key].join("+");
}
