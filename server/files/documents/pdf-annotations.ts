import type { PDFPageProxy } from "unpdf/pdfjs";

/** Text that a person has added to a page. `rect`: left, bottom, right and top; `label`: name of a form field. */
export type AddedText = { text: string; rect: readonly number[]; label: string };

/**
 * Text that a page draws in one piece. `x`, `y`, `width`: of its baseline in points, `y` upwards; `ahead`, `behind`: texts
 * that a person has added before and after it.
 */
export type PagePiece = {
  text: string;
  x: number;
  y: number;
  width: number;
  isHorizontal: boolean;
  endsLine: boolean;
  at: number;
  ahead: string[];
  behind: string[];
};

/** Distance in points up to which a label stands above its field, and a baseline below it. */
const LABEL_DISTANCE = 16;
const BASELINE_SLACK = 2;
/** Texts of a page that are put in place: each is compared with all pieces. */
const MAX_PLACED = 1000;

/** A stamp or signature, of which only the drawing has the text. `id`: of the annotation. */
export type Drawing = { id: string; kind: "Stamp" | "Signature" };

/** What persons have added to a page. `notes`: lines. */
type Annotations = { fields: AddedText[]; notes: string[]; drawings: Drawing[] };

/** Facts of an annotation that pdf.js reads from an untrusted file. */
type Annotation = {
  id: string;
  hasAppearance?: boolean;
  subtype?: string;
  annotationFlags?: number;
  contentsObj?: { str: string };
  textContent?: string[];
  fieldType?: string;
  fieldName?: string;
  alternativeText?: string;
  fieldValue?: unknown;
  password?: boolean;
  checkBox?: boolean;
  radioButton?: boolean;
  exportValue?: string;
  buttonValue?: string;
  options?: { exportValue: unknown; displayValue: unknown }[];
  rect: number[];
};

/** Flag of annotations that no reader shows (ISO 32000-1, table 165). */
const HIDDEN = 2;
/** Kinds of annotations whose text is shown elsewhere: fields, addresses of links, and windows of other annotations. */
const WITHOUT_NOTES = ["Widget", "Link", "Popup"];

/** Returns the visible form fields of a page that have a value, lines for its text boxes and notes, and its drawings. */
export async function readAnnotations(page: PDFPageProxy): Promise<Annotations> {
  const annotations: Annotation[] = await page.getAnnotations({ intent: "display" });
  const visible = annotations.filter(({ annotationFlags = 0 }) => (annotationFlags & HIDDEN) === 0);
  const fields = visible.flatMap((annotation) => {
    const text = shownValue(annotation);
    const label = annotation.alternativeText || lastName(annotation.fieldName);
    return text === "" ? [] : [{ text, rect: annotation.rect, label }];
  });
  return { fields, notes: visible.flatMap(noteOf), drawings: visible.flatMap(drawingOf) };
}

function drawingOf({ id, subtype, fieldType, hasAppearance }: Annotation): Drawing[] {
  if (!hasAppearance) return [];
  if (subtype === "Stamp") return [{ id, kind: "Stamp" }];
  return subtype === "Widget" && fieldType === "Sig" ? [{ id, kind: "Signature" }] : [];
}

/** Returns a line with the text of an annotation, marked: the text of a page is that of its author. */
function noteOf({ subtype = "", contentsObj, textContent }: Annotation): string[] {
  if (WITHOUT_NOTES.includes(subtype)) return [];
  const text = (contentsObj?.str || (textContent ?? []).join("\n")).replaceAll(/\r\n?/g, "\n").trim();
  return text === "" ? [] : [`[${subtype === "FreeText" ? "Text box" : "Note"}] ${text}`];
}

/** Returns what a field shows: its text, its chosen options, or a mark for a box. */
function shownValue(field: Annotation): string {
  const { fieldType, fieldValue: value } = field;
  if (fieldType === "Btn") {
    if (!field.checkBox && !field.radioButton) return "";
    const own = field.checkBox ? field.exportValue : field.buttonValue;
    return typeof own === "string" && value === own ? "[x]" : "[ ]";
  }
  if ((fieldType !== "Tx" && fieldType !== "Ch") || field.password) return "";
  const shown = (chosen: unknown) => field.options?.find((option) => option.exportValue === chosen)?.displayValue;
  return [value]
    .flat()
    .map((chosen) => shown(chosen) ?? chosen)
    .filter((text) => typeof text === "string")
    .join(", ")
    .replaceAll(/\r\n?/g, "\n")
    .trim();
}

/** Fields are named by their path: the last name distinguishes a field, often with an index. */
const lastName = (path = "") => path.split(".").at(-1) ?? "";

/**
 * Puts texts where a reader sees them: behind the piece to their left, else before the one to their right on the same
 * line, else behind the one above.
 * @param pieces of a page, in its order; the texts are put into them
 * @returns the texts that are near no piece
 */
export function putInPlace(pieces: PagePiece[], added: readonly AddedText[]): AddedText[] {
  const apart: AddedText[] = [];
  const lines = pieces.filter((piece) => piece.isHorizontal && piece.text.trim() !== "");
  const [placed, rest] = [added.slice(0, MAX_PLACED), added.slice(MAX_PLACED)];
  for (const text of placed.toSorted((one, other) => (one.rect[0] ?? 0) - (other.rect[0] ?? 0))) {
    const { before, after, above } = neighboursOf(lines, text);
    const behind = before ?? above;
    if (before || (behind && !after)) behind?.behind.push(text.text);
    else if (after) after.ahead.push(text.text);
    else apart.push(text);
  }
  return [...apart.toSorted((one, other) => (other.rect[3] ?? 0) - (one.rect[3] ?? 0)), ...rest];
}

type Neighbours = { before?: PagePiece; after?: PagePiece; above?: PagePiece };

function neighboursOf(lines: readonly PagePiece[], { rect }: AddedText): Neighbours {
  const [left = 0, bottom = 0, right = 0, top = 0] = rect;
  const found: Neighbours = {};
  for (const line of lines) {
    const { x, y, width } = line;
    if (y >= bottom - BASELINE_SLACK && y <= top) {
      if (x < left && x >= (found.before?.x ?? Number.NEGATIVE_INFINITY)) found.before = line;
      if (x >= left && x < (found.after?.x ?? Number.POSITIVE_INFINITY)) found.after = line;
    }
    const isAbove = y > top && y <= top + LABEL_DISTANCE && x < right && x + width > left;
    if (isAbove && y < (found.above?.y ?? Number.POSITIVE_INFINITY)) found.above = line;
  }
  return found;
}
