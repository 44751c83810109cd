import { useTranslation } from "react-i18next";
import { cx } from "../../../ui/components/cx.ts";

/** A labelled number, or a text in its position. */
export type Count = { label: string; count: number | string };

/** List of labelled numbers, one a line. */
export function CountList({ counts, className }: { counts: readonly Count[]; className?: string }) {
  const { i18n } = useTranslation();
  const numbers = new Intl.NumberFormat(i18n.language);
  return (
    <dl className={cx("text-sm", className)}>
      {counts.map(({ label, count }) => (
        <div key={label} className="flex flex-wrap justify-between gap-x-6 gap-y-0.5 border-hairline border-t py-2">
          <dt className="min-w-0 text-muted">{label}</dt>
          <dd className="ms-auto text-end tabular-nums">{typeof count === "number" ? numbers.format(count) : count}</dd>
        </div>
      ))}
    </dl>
  );
}
