import { getDocumentProxy } from "unpdf";

/** Largest time for the appearances of a document, in ms. */
const MAX_MS = 2000;
/** Of pdf.js, `OPS`. */
const [BEGIN_ANNOTATION, END_ANNOTATION] = [80, 81];
const [BEGIN_TEXT, MOVE_TEXT, SET_TEXT_MATRIX, NEXT_LINE, SHOW_TEXT] = [31, 40, 42, 43, 44];
/** Distance between two glyphs, in thousandths of the font size, that readers see as a space. */
const SPACE = -200;

type Operators = { fnArray: readonly number[]; argsArray: readonly unknown[] };

/**
 * Returns the texts that stamps and signatures draw, by their id: of those `getTextContent` has none. Their operators
 * come after those of their page, whose pictures are left out as they are in `findPictures`. A page that fails, or for
 * which no time is left, has none.
 * @param numbers of the pages
 * @param options of pdf.js
 */
export async function readAppearances(
  bytes: Uint8Array,
  numbers: readonly number[],
  options: object,
): Promise<Map<string, string>> {
  const pdf = await getDocumentProxy(bytes, { ...options, maxImageSize: 0 });
  const texts = new Map<string, string>();
  try {
    const end = performance.now() + MAX_MS;
    for (const number of numbers) {
      if (performance.now() > end) break;
      const page = await pdf.getPage(number);
      const operators = await page.getOperatorList().catch(() => ({ fnArray: [], argsArray: [] }));
      for (const [id, text] of textsOf(operators)) texts.set(id, text);
      page.cleanup();
    }
    return texts;
  } finally {
    await pdf.loadingTask.destroy();
  }
}

function textsOf({ fnArray, argsArray }: Operators): Map<string, string> {
  const texts = new Map<string, string>();
  let id: string | undefined;
  let text = "";
  for (const [at, operator] of fnArray.entries()) {
    const args = argsArray[at];
    if (operator === BEGIN_ANNOTATION) [id, text] = [String(listOf(args)[0]), ""];
    if (id === undefined) continue;
    if (operator === END_ANNOTATION) {
      texts.set(
        id,
        text
          .replaceAll(/[ \t]+/g, " ")
          .replaceAll(/\s*\n\s*/g, "\n")
          .trim(),
      );
      id = undefined;
    } else if (operator === SHOW_TEXT) text += glyphsOf(listOf(args)[0]);
    else text += separatorOf(operator, listOf(args));
  }
  return texts;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns what stands between two texts: a move to the side is a space. */
function separatorOf(operator: number, args: readonly unknown[]): string {
  if (operator === MOVE_TEXT) return args[1] === 0 ? " " : "\n";
  return operator === BEGIN_TEXT || operator === SET_TEXT_MATRIX || operator === NEXT_LINE ? "\n" : "";
}

/** Returns the characters of glyphs, between which numbers are distances. */
function glyphsOf(glyphs: unknown): string {
  return listOf(glyphs)
    .map((glyph) => {
      if (typeof glyph === "number") return glyph < SPACE ? " " : "";
      const { unicode } = Object(glyph) as { unicode?: unknown };
      return typeof unicode === "string" ? unicode : "";
    })
    .join("");
}
