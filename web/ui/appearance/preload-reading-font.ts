export const READING_FONT = '1em "Source Serif 4 Variable"';

/**
 * Starts to load the typeface of answers (reading-font.ts) before the first answer is rendered: its Latin upright file.
 * Reads the setting from the root element, because appearance.ts is not part of the chat page's first load.
 */
export function preloadReadingFont(): void {
  if (document.documentElement.dataset.typeface !== "sans") document.fonts?.load(READING_FONT).catch(() => undefined);
}
