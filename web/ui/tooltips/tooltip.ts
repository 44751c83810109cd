import type { ShortcutId } from "../keys/shortcuts.ts";

export type TooltipOptions = {
  /** Shortcut of the control, shown after the text. */
  shortcut?: ShortcutId | undefined;
  /** Placed at the inline end instead of below: in a vertical list it must not cover the next entry. */
  isBeside?: boolean | undefined;
  /** Shown only while the element's text is cut off. */
  isForCutText?: boolean | undefined;
};

/**
 * Returns the attributes that give an element a tooltip. They cost no listener and no state: one layer serves all
 * elements of the page (tooltip-controller.ts). The tooltip is no accessible name; undefined: no tooltip.
 */
export const tooltip = (text: string | undefined, { shortcut, isBeside, isForCutText }: TooltipOptions = {}) => ({
  "data-tooltip": text,
  "data-tooltip-keys": shortcut,
  "data-tooltip-side": isBeside ? "end" : undefined,
  "data-tooltip-if": isForCutText ? "cut" : undefined,
});
