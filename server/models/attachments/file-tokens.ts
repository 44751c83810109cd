/** Most tokens that a picture has at a provider: OpenAI's `original` detail has at most 10,000 patches. */
const MAX_PICTURE_TOKENS = 10_000;
/** Upper end of the 1,500 to 3,000 tokens of text that Anthropic documents for each page of a PDF. */
const TOKENS_PER_PAGE = 3000;
/** A page is also sent as a picture, of at most so many tokens. */
const TOKENS_PER_PAGE_PICTURE = 1600;

/**
 * Estimates the tokens of a picture by the largest of the providers' formulas (their documentation of November 2026).
 * Anthropic: one for 750 pixels, at most 4,784. OpenAI: 85 and 170 for each of at most eight tiles of 512 pixels; or one
 * for each patch of 32 pixels, of at most 1,536 patches with a factor up to 2.46, and of at most 10,000 without.
 * @param width in pixels, as `height`; undefined for a picture of unknown size
 */
export function pictureTokens(width: number | undefined, height: number | undefined): number {
  if (width === undefined || height === undefined) return MAX_PICTURE_TOKENS;
  const patches = Math.ceil(width / 32) * Math.ceil(height / 32);
  const tiles = Math.ceil(width / 512) * Math.ceil(height / 512);
  return Math.max(
    Math.min(Math.ceil((width * height) / 750), 4784),
    Math.ceil(Math.min(patches, 1536) * 2.46),
    Math.min(patches, MAX_PICTURE_TOKENS),
    85 + 170 * Math.min(tiles, 8),
  );
}

/**
 * Estimates the tokens of a PDF that a model receives as it is: providers pass on the text and a picture of each page.
 * @param textTokens estimate of its readable text
 */
export function pdfTokens(pages: number, textTokens: number): number {
  return Math.max(pages * TOKENS_PER_PAGE, textTokens + pages * TOKENS_PER_PAGE_PICTURE);
}
