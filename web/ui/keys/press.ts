/**
 * A key and what is held down with it. `key`: as the browser names what it types, letters in lower case. `isMod`: ⌘ on
 * Apple's keyboards, Ctrl on the others.
 */
export type Press = { key: string; isMod?: boolean; isShift?: boolean; isAlt?: boolean };

export const isApple = () => /mac|iphone|ipad/i.test(navigator.platform);

/** Whether this is what was pressed, and nothing else with it. */
export function fits(event: KeyboardEvent, { key, isMod = false, isShift = false, isAlt = false }: Press): boolean {
  const [mod, other] = isApple() ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey];
  if (mod !== isMod || other || event.altKey !== isAlt || isOtherAlt(event)) return false;
  // Signs have no place of their own: some keyboards have them behind Shift.
  const isSign = !isShift && /^[?/]$/.test(key);
  return (isSign || event.shiftKey === isShift) && typed(event, key);
}

/** A sign alone, which may be typed by accident or by voice: it can be switched off, and never counts in a field. */
export const isSign = ({ key, isMod, isAlt }: Press): boolean => key.length === 1 && !isMod && !isAlt;

const FIELDS = "input, textarea, select, [contenteditable]";

/** The field in which this was pressed, if any. */
export const fieldOf = ({ target }: Event): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(FIELDS) : null;

/**
 * Whether an input method handles this key. Safari dispatches the key that ends a composition after `compositionend`:
 * `isComposing` is false by then, and only the key code 229 marks it.
 */
export const isComposing = ({ isComposing, keyCode }: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean =>
  isComposing || keyCode === 229;

/** Whether an input method or another listener handles this key. */
export const isTaken = (event: KeyboardEvent): boolean => event.defaultPrevented || isComposing(event);

/** The other Alt of some keyboards types characters; on Apple's both are the same, and some browsers call them by this. */
export const isOtherAlt = (event: KeyboardEvent): boolean => !isApple() && event.getModifierState("AltGraph");

/** By what the key types, else by its place: with Alt some type other signs, and not every alphabet is ours. */
function typed({ key, code }: KeyboardEvent, wanted: string): boolean {
  if (key.toLowerCase() === wanted.toLowerCase()) return true;
  if (wanted === ",") return code === "Comma";
  return !/^[a-z]$/i.test(key) && code === `Key${wanted.toUpperCase()}`;
}
