/**
 * Key with its modifiers. `key`: as `KeyboardEvent.key`, letters in lower case. `isMod`: ⌘ on Apple's keyboards, Ctrl
 * on others.
 */
export type Press = { key: string; isMod?: boolean; isShift?: boolean; isAlt?: boolean };

export const isApple = () => /mac|iphone|ipad/i.test(navigator.platform);

/** Whether the event is this key with exactly these modifiers. */
export function fits(event: KeyboardEvent, { key, isMod = false, isShift = false, isAlt = false }: Press): boolean {
  const [mod, other] = isApple() ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey];
  if (mod !== isMod || other || event.altKey !== isAlt || isOtherAlt(event)) return false;
  // The position of signs differs: some keyboards need Shift for them.
  const isSign = !isShift && /^[?/]$/.test(key);
  return (isSign || event.shiftKey === isShift) && typed(event, key);
}

/** Whether a press is a single character, as in WCAG 2.1.4: it can be switched off and never counts in a field. */
export const isSign = ({ key, isMod, isAlt }: Press): boolean => key.length === 1 && !isMod && !isAlt;

const FIELDS = "input, textarea, select, [contenteditable]";

/** Returns the field that is the event's target or contains it, if any. */
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

/** Whether AltGr is held, which types characters. On Apple's keyboards some browsers report any Alt key as AltGraph. */
export const isOtherAlt = (event: KeyboardEvent): boolean => !isApple() && event.getModifierState("AltGraph");

/** Compares the typed character, else the key's position: Alt and non-Latin alphabets type other characters. */
function typed({ key, code }: KeyboardEvent, wanted: string): boolean {
  if (key.toLowerCase() === wanted.toLowerCase()) return true;
  if (wanted === ",") return code === "Comma";
  return !/^[a-z]$/i.test(key) && code === `Key${wanted.toUpperCase()}`;
}
