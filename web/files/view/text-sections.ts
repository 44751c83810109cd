import type { FileText } from "#contract/files/files.ts";
import { shownKindOf } from "../file-kind.tsx";

/** A page, slide or sheet of a text. `number`: of a page or slide; `title`: of a sheet; neither: the whole text. */
export type TextSection = { number?: number; title?: string; text: string; isDamaged?: boolean };

/** More sections would be too many elements: a text of a megabyte can have a hundred thousand pages. */
const MAX_SECTIONS = 1000;

/** Lines that the server writes above a page, a slide and a sheet, each at the start or below an empty line. */
const marks = {
  pdf: /(?:^|\n\n)\[Page (?<number>\d+)(?:: picture|: unreadable|(?<damaged>: damaged))?\](?=\n|$)/g,
  slides: /(?:^|\n\n)\[Slide (?<number>\d+)\](?=\n|$)/g,
  sheet: /(?:^|\n\n)# (?<title>[^\n]+)(?=\n|$)/g,
} as const;

type File = { name: string; type: string };

/**
 * Splits the text of a file at the server's marks. A mark with a number that does not follow is text of the document,
 * and nothing of the text is lost.
 */
export function textSections({ name, type }: File, text: FileText["text"]): TextSection[] {
  const kind = shownKindOf(type, name);
  const whole = [{ text }];
  if (type === "text/csv" || (kind !== "pdf" && kind !== "slides" && kind !== "sheet")) return whole;
  const sections: TextSection[] = [];
  let end = 0;
  const endLast = (at: number) => {
    const last = sections.at(-1);
    if (last) last.text = text.slice(end, at).replace(/^\n/, "");
  };
  for (const { 0: mark, index, groups = {} } of text.matchAll(marks[kind])) {
    const { number, title, damaged } = groups;
    const isFirst = sections.length === 0;
    if ((isFirst && index !== 0) || (number !== undefined && Number(number) !== sections.length + 1)) continue;
    endLast(index);
    end = index + mark.length;
    sections.push(title === undefined ? { number: Number(number), text: "" } : { title, text: "" });
    if (damaged !== undefined) Object.assign(sections.at(-1) ?? {}, { isDamaged: true });
  }
  endLast(text.length);
  return sections.length === 0 || sections.length > MAX_SECTIONS ? whole : sections;
}
