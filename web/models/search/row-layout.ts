import { hasFacts } from "../model-facts.ts";
import { hasHeading, type ModelSection, type OptionRow } from "./model-sections.ts";

/** Heights in rem, for a mouse and for fingers. */
const HEIGHTS = {
  heading: { fine: 1.875, coarse: 1.875 },
  line: { fine: 2.25, coarse: 2.75 },
  twoLines: { fine: 3, coarse: 3.25 },
};

/** A line of the list. `option`: null for the heading of its section. `index`: of the option, from 0. In px. */
export type LaidRow = { section: ModelSection; option: OptionRow | null; index: number; top: number; height: number };

/** All lines of a list with their positions, which are known without rendering them. */
export type RowLayout = { rows: readonly LaidRow[]; height: number; optionCount: number };

/** @param rem root font size in px */
export function layOut(sections: readonly ModelSection[], rem: number, isCoarse: boolean): RowLayout {
  const heightOf = (kind: keyof typeof HEIGHTS) => rem * HEIGHTS[kind][isCoarse ? "coarse" : "fine"];
  const rows: LaidRow[] = [];
  let height = 0;
  let optionCount = 0;
  const add = (section: ModelSection, option: OptionRow | null, own: number) => {
    rows.push({ section, option, index: optionCount, top: height, height: own });
    height += own;
  };
  for (const section of sections) {
    if (hasHeading(section)) add(section, null, heightOf("heading"));
    for (const option of section.options) {
      add(section, option, heightOf(hasSecondLine(option) ? "twoLines" : "line"));
      optionCount++;
    }
  }
  return { rows, height, optionCount };
}

export function hasSecondLine(option: OptionRow): boolean {
  if (option.kind === "first") return option.choice.hint !== undefined;
  return option.kind === "model" && (option.notes.length > 0 || hasFacts(option.model));
}

/** Returns the lines that are at least partly between two positions, and the one of the active option. */
export function rowsBetween({ rows }: RowLayout, from: number, to: number, active: string | undefined): LaidRow[] {
  return rows.filter(
    ({ top, height, option }) => (top < to && top + height > from) || (option !== null && option.key === active),
  );
}
