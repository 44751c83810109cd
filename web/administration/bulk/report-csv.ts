import type { TFunction } from "i18next";
import { CSV_START, csvLine } from "#contract/text/csv.ts";
import type { ReportedLine } from "./use-bulk-invitations.ts";

/** Returns the report of a list as a CSV file. */
export function reportCsv(lines: readonly ReportedLine[], t: TFunction<"bulk">): string {
  const head = ["line", "address", "note", "result", "link"] as const;
  const rows = lines.map(({ line, address, note, state, link }) => [line, address, note, t(`results.${state}`), link]);
  return CSV_START + [head.map((column) => t(`columns.${column}`)), ...rows].map(csvLine).join("");
}
