import { useTranslation } from "react-i18next";
import type { Overview } from "#contract/administration/overview.ts";
import { dayText } from "./overview-words.ts";

type Days = Overview["replies"]["days"];

const STEP = 10;
const BAR = 7;
const HEIGHT = 100;
/** Minimum height of the bar of a day with any reply. */
const LEAST = 3;

/** Bar chart of the replies of each day, oldest first. Its label and caption give the sum and the largest day in words. */
export function RepliesChart({ days }: { days: Days }) {
  const { t, i18n } = useTranslation("administration");
  const number = new Intl.NumberFormat(i18n.language);
  const most = days.reduce<Days[number] | undefined>(
    (best, each) => (each.replies > (best?.replies ?? 0) ? each : best),
    undefined,
  );
  const [first, last] = [days[0], days.at(-1)];
  if (!most || !first || !last) return <p className="p-4 text-muted text-sm sm:p-5">{t("overview.chart.empty")}</p>;
  const total = number.format(days.reduce((sum, { replies }) => sum + replies, 0));
  const peak = t("overview.chart.most", {
    date: dayText(most.day, i18n.language),
    replies: number.format(most.replies),
  });
  return (
    <figure className="p-4 sm:p-5">
      <svg
        role="img"
        aria-label={`${t("overview.chart.total", { replies: total })} ${peak}`}
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="block h-32 w-full border-hairline border-b rtl:-scale-x-100"
      >
        {days.map(({ day, replies }, at) => {
          const height = replies === 0 ? 0 : Math.max(LEAST, (HEIGHT * replies) / most.replies);
          return (
            <rect
              key={day}
              x={at * STEP + (STEP - BAR) / 2}
              y={HEIGHT - height}
              width={BAR}
              height={height}
              className="fill-accent forced-colors:fill-[CanvasText]"
            />
          );
        })}
      </svg>
      <div aria-hidden="true" className="mt-1.5 flex justify-between gap-3 text-muted text-xs tabular-nums">
        <span>{dayText(first.day, i18n.language)}</span>
        <span>{dayText(last.day, i18n.language)}</span>
      </div>
      <figcaption aria-hidden="true" className="mt-3 text-pretty text-muted text-sm tabular-nums">
        {t("overview.chart.total", { replies: total })} {peak}
      </figcaption>
    </figure>
  );
}
