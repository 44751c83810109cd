import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { ListLine } from "./read-list.ts";

/** Lines that are shown; the number of the others is named. */
const SHOWN = 100;

/** What was recognised in a list: the addresses, and the lines that are left out with the reason. */
export function ListPreview({ lines, withNotes }: { lines: readonly ListLine[]; withNotes: boolean }) {
  const { t } = useTranslation("bulk");
  const found = lines.filter(({ problem }) => problem === null);
  const leftOut = lines.filter(({ problem }) => problem !== null);
  const counts = [
    lines.length > 0 && t("found", { count: found.length }),
    leftOut.length > 0 && t("leftOut", { count: leftOut.length }),
  ];
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="text-sm leading-text">
        {counts.filter(Boolean).join(" ")}
      </p>
      {leftOut.length > 0 && (
        <PreviewLines
          title={t("problems")}
          lines={leftOut}
          detailOf={({ problem }) => t(`results.${problem ?? "unsent"}`)}
        />
      )}
      {found.length > 0 && (
        <PreviewLines title={t("recognised")} lines={found} detailOf={({ note }) => (withNotes ? note : "")} />
      )}
    </div>
  );
}

type PreviewLinesProps = { title: string; lines: readonly ListLine[]; detailOf: (line: ListLine) => string };

function PreviewLines({ title, lines, detailOf }: PreviewLinesProps) {
  const { t } = useTranslation("bulk");
  const id = useId();
  return (
    <div>
      <p id={id} className="font-medium text-sm">
        {title}
      </p>
      <section
        aria-labelledby={id}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll a region only if it has the focus
        tabIndex={0}
        className="mt-1.5 max-h-48 overflow-y-auto rounded-control border border-hairline"
      >
        <ol className="divide-y divide-hairline text-sm">
          {lines.slice(0, SHOWN).map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name, and its item no state
            <li key={index} className="flex flex-wrap items-baseline gap-x-3 px-3 py-1.5 leading-text">
              <span className="text-muted text-xs tabular-nums">{t("line", { line: line.line })}</span>
              <bdi className="own-way min-w-0 [overflow-wrap:anywhere]">{line.address}</bdi>
              <span dir="auto" className="own-way min-w-0 text-muted [overflow-wrap:anywhere]">
                {detailOf(line)}
              </span>
            </li>
          ))}
        </ol>
      </section>
      {lines.length > SHOWN && <p className="mt-1 text-muted text-sm">{t("more", { count: lines.length - SHOWN })}</p>}
    </div>
  );
}
