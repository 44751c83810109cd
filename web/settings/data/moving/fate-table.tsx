import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { ForeignReport } from "#contract/transfer/services/receipt.ts";
import { fateRows } from "./fate-rows.ts";

const number = "whitespace-nowrap py-2 ps-4 text-end align-top tabular-nums";

/** The fate of each node of a file: the rows add up to the last one. */
export function FateTable({ report, isComplete }: { report: ForeignReport; isComplete: boolean }) {
  const { t, i18n } = useTranslation("moving");
  const title = useId();
  const numbers = new Intl.NumberFormat(i18n.language);
  return (
    <div>
      <h4 id={title} className="font-medium text-sm">
        {t("fates.title")}
      </h4>
      <table aria-labelledby={title} className="mt-2 w-full border-collapse text-sm">
        <tbody>
          {fateRows(report, isComplete, t, i18n.language).map(({ label, count, note }) => (
            <tr key={label} className="border-hairline border-t">
              <th scope="row" className="py-2 text-start font-normal text-muted">
                {label}
                {note !== "" && <span className="block text-xs">{note}</span>}
              </th>
              <td className={number}>{numbers.format(count)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot className="font-medium">
          <tr className="border-outline border-t">
            <th scope="row" className="py-2 text-start font-medium">
              {t("fates.total")}
            </th>
            <td className={number}>{numbers.format(report.nodes)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
