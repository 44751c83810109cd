/** Text that a page draws in one piece, in logical order. `at`: its position along the line, in any unit. */
export type PlacedText = { text: string; at: number };

type Direction = "rtl" | "ltr" | "number" | "neutral";

const RTL_LETTER = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const LETTERS = /\p{L}/gu;
/** Presentation forms of Arabic letters and of Hebrew ones: shapes of letters, and ligatures. */
const PRESENTATION_FORMS = /[\uFB1D-\uFDFF\uFE70-\uFEFC]+/g;

const mirrored: Readonly<Record<string, string>> = {
  ...{ "(": ")", ")": "(", "[": "]", "]": "[", "{": "}", "}": "{" },
  ...{ "<": ">", ">": "<", "«": "»", "»": "«" },
};

/**
 * Returns the text of a line in logical order, from its pieces in the order in which a page draws them. Pages with
 * Arabic or Hebrew are mostly drawn from left to right: then runs from right to left are reversed, by the rules of the
 * bidirectional algorithm (UAX 9) the other way round, and their brackets mirrored. Only presentation forms are
 * normalised (NFKC): elsewhere that would make "x2" of "x²".
 */
export function logicalLine(pieces: readonly PlacedText[]): string {
  const whole = textOf(pieces);
  if (!RTL_LETTER.test(whole)) return whole;
  const ordered = isDrawnLeftToRight(pieces) ? textOf(reorder(pieces, baseOf(whole))) : whole;
  return ordered.replaceAll(PRESENTATION_FORMS, (forms) => forms.normalize("NFKC"));
}

const textOf = (pieces: readonly { text: string }[]) => pieces.map(({ text }) => text).join("");

/** Returns the direction of a line: that of its first and last letter if it is the same, else that of most letters. */
function baseOf(text: string): "rtl" | "ltr" {
  const letters = text.match(LETTERS) ?? [];
  const isRtl = (letter: string | undefined) => letter !== undefined && RTL_LETTER.test(letter);
  if (isRtl(letters[0]) === isRtl(letters.at(-1))) return isRtl(letters[0]) ? "rtl" : "ltr";
  return letters.filter(isRtl).length * 2 >= letters.length ? "rtl" : "ltr";
}

function isDrawnLeftToRight(pieces: readonly PlacedText[]): boolean {
  const visible = pieces.filter(({ text }) => text.trim() !== "");
  let steps = 0;
  for (const [index, { at }] of visible.entries()) steps += Math.sign(at - (visible[index - 1]?.at ?? at));
  return steps > 0;
}

function directionOf(text: string): Direction {
  if (RTL_LETTER.test(text)) return "rtl";
  if (/\p{L}/u.test(text)) return "ltr";
  return /\p{N}/u.test(text) ? "number" : "neutral";
}

type Piece = { text: string; direction: Direction };

function reorder(placed: readonly PlacedText[], base: "rtl" | "ltr"): Piece[] {
  const pieces = joinNumbers(placed.map(({ text }) => ({ text, direction: directionOf(text) })));
  const runs: { isRtl: boolean; pieces: Piece[] }[] = [];
  const members = rtlMembers(pieces, base);
  for (const [index, piece] of pieces.entries()) {
    const isRtl = members[index] === true;
    const last = runs.at(-1);
    if (last?.isRtl === isRtl) last.pieces.push(piece);
    else runs.push({ isRtl, pieces: [piece] });
  }
  if (base === "rtl") runs.reverse();
  return runs.flatMap((run) => (run.isRtl ? run.pieces.reverse().map(mirror) : run.pieces));
}

const isNumber = (text: string): boolean => /^\p{N}+$/u.test(text);

/** Joins digits that are drawn one by one, whose order is from left to right everywhere. */
function joinNumbers(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last && isNumber(last.text) && isNumber(piece.text)) last.text += piece.text;
    else joined.push({ ...piece });
  }
  return joined;
}

/**
 * Returns which pieces belong to a run from right to left. Neutral pieces belong to it if those around them do, or if
 * only one does and the line is from right to left. So do numbers in a line from left to right.
 */
function rtlMembers(pieces: readonly Piece[], base: "rtl" | "ltr"): boolean[] {
  const isStrong = ({ direction }: Piece) => direction !== "neutral" && (base === "rtl" || direction !== "number");
  const before = nearest(pieces, isStrong, base);
  const after = nearest(pieces.toReversed(), isStrong, base).toReversed();
  return pieces.map((piece, index) => {
    if (isStrong(piece)) return piece.direction === "rtl";
    const neighbours = [before[index], after[index]];
    return base === "rtl" ? neighbours.includes("rtl") : neighbours.every((direction) => direction === "rtl");
  });
}

/** Returns the direction of the last strong piece up to each piece; before the first, that of the line. */
function nearest(pieces: readonly Piece[], isStrong: (piece: Piece) => boolean, base: Direction): Direction[] {
  let direction = base;
  return pieces.map((piece) => {
    if (isStrong(piece)) direction = piece.direction;
    return direction;
  });
}

/** Brackets are drawn by the shape that they have from right to left. */
function mirror(piece: Piece): Piece {
  return { ...piece, text: piece.text.replaceAll(/[()[\]{}<>«»]/g, (bracket) => mirrored[bracket] ?? bracket) };
}
