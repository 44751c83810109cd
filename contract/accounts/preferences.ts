/** Preferences of an account: appearance settings and language, which follow it from browser to browser. */

/** Values of each appearance setting; the first one is the default. */
export const appearanceChoices = {
  theme: ["system", "light", "dark"],
  contrast: ["system", "more"],
  motion: ["system", "less"],
  typeface: ["serif", "sans"],
  size: ["medium", "small", "large", "larger"],
  code: ["scroll", "wrap"],
  /** Whether growing reasoning is shown open in a chat in which the reader has opened one. */
  reasoning: ["remember", "collapse"],
  /** Key that sends a message. `device`: Enter, except on a touch screen. `mod` is Ctrl, or Command on a Mac. */
  send: ["device", "enter", "mod-enter"],
} as const;

/** Value of the language that selects the browser's own. */
export const BROWSER_LANGUAGE = "browser";
