// The index of decision records, docs/decisions/README.md, has one row for each record.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../child.mjs";

/** `name`: name of the file; `text`: its Markdown. */
export type DecisionRecord = { name: string; text: string };

const folder = join(root, "docs/decisions");
const INDEX = "docs/decisions/README.md";

/** Reads the records and their index. */
export function readDecisions(): { index: string; records: DecisionRecord[] } {
  const names = readdirSync(folder).filter((name) => /^\d{4}-.+\.md$/.test(name));
  const records = names.sort().map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
  return { index: readFileSync(join(root, INDEX), "utf8"), records };
}

/** Returns the begin of the row of a record: its number, and its title as a link. */
function rowOf({ name, text }: DecisionRecord): string {
  const number = Number(name.slice(0, 4));
  const title = text.split("\n", 1)[0]?.replace(`# ${number}. `, "") ?? "";
  return `| ${number} | [${title}](${name}) | `;
}

/** The sentences of the index that name the numbers without a record, as `26, 28 and 57 to 59`. */
const GAPS = /^The numbers? (.+?) (?:(?:was|were) never used|(?:is|are) reserved)/gm;

/** Returns the numbers that the index says were never used or are reserved for branches. */
function namedGaps(index: string): number[] {
  const ranges = [...index.matchAll(GAPS)].flatMap(([, numbers = ""]) => [...numbers.matchAll(/(\d+)(?: to (\d+))?/g)]);
  return [...ranges].flatMap(([, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => Number(first) + index),
  );
}

/** Returns a sentence for each number below the last record's that has neither a record nor a mention, or has both. */
function gapProblems({ index, records }: { index: string; records: readonly DecisionRecord[] }): string[] {
  const used = records.map(({ name }) => Number(name.slice(0, 4)));
  const named = namedGaps(index);
  const last = Math.max(0, ...used);
  const unnamed = Array.from({ length: last }, (_, at) => at + 1).filter(
    (number) => !used.includes(number) && !named.includes(number),
  );
  return [
    ...unnamed.map((number) => `${INDEX} does not name the number ${number}, which has no record.`),
    ...named
      .filter((number) => used.includes(number))
      .map((number) => `${INDEX} names the number ${number} as unused, but it has a record.`),
  ];
}

/**
 * Returns a sentence for each record without its row, row without a record, row that is repeated or out of order, and
 * number without a record that the index does not name.
 */
export function decisionProblems({ index, records }: { index: string; records: readonly DecisionRecord[] }): string[] {
  const rows = index.split("\n").filter((line) => /^\| \d+ \|/.test(line));
  const expected = records.map(rowOf);
  const numbers = rows.map((row) => Number(row.split("|")[1]));
  const misplaced = numbers.filter((number, at) => at > 0 && number <= (numbers[at - 1] ?? 0));
  return [
    ...expected
      .filter((row) => !rows.some((each) => each.startsWith(row)))
      .map((row) => `${INDEX} lacks the row: ${row}`),
    ...rows
      .filter((row) => !expected.some((each) => row.startsWith(each)))
      .map((row) => `${INDEX} has a row without a record: ${row}`),
    ...misplaced.map((number) => `${INDEX} has the number ${number} twice or out of order.`),
    ...gapProblems({ index, records }),
  ];
}
