import type { TFunction } from "i18next";
import { nodeFates, unreadableReasons } from "#contract/transfer/services/foreign-chat.ts";
import type { ForeignReport } from "#contract/transfer/services/receipt.ts";

/** `note`: details of the number; empty if there are none. */
export type FateRow = { label: string; count: number; note: string };

/**
 * Returns the fates of a file's nodes that occur. Their sum is the number of the nodes.
 * @param isComplete whether the import has reached the end of the file; if not, the rest is a row too
 */
export function fateRows(
  report: ForeignReport,
  isComplete: boolean,
  t: TFunction<"moving">,
  locale: string,
): FateRow[] {
  const { fates, unreadable, notChosen, notImported, nodes } = report;
  const numbers = new Intl.NumberFormat(locale);
  const list = new Intl.ListFormat(locale, { type: "unit" });
  const reasons = unreadableReasons.flatMap((reason) => {
    const count = unreadable[reason] ?? 0;
    return count > 0 ? [t(`fates.${reason}`, { number: numbers.format(count) })] : [];
  });
  const rows = [
    ...nodeFates.map((fate) => ({
      label: t(`fates.${fate}`),
      count: fates[fate],
      note: fate === "unreadable" ? list.format(reasons) : "",
    })),
    { label: t("fates.notChosen"), count: notChosen, note: "" },
    { label: t("fates.notImported"), count: notImported, note: "" },
  ];
  const reached = rows.reduce((sum, { count }) => sum + count, 0);
  const rest = isComplete ? [] : [{ label: t("fates.notReached"), count: nodes - reached, note: "" }];
  return [...rows, ...rest].filter(({ count }) => count > 0);
}
