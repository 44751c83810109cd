import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { MINUTE } from "#contract/limits.ts";
import { exactTime, timeAgo } from "../locales/times.ts";
import { tooltip } from "../ui/tooltips/tooltip.ts";

type TimeAgoProps = { at: number; sentence: (time: string) => string; className?: string };

/** Relative time in a sentence, with the exact time as its title. */
export function TimeAgo({ at, sentence, className }: TimeAgoProps) {
  const { t, i18n } = useTranslation("settings");
  const now = useMinute();
  return (
    <time dateTime={new Date(at).toISOString()} {...tooltip(exactTime(at, i18n.language))} className={className}>
      {sentence(timeAgo(at, now, i18n.language) ?? t("time.now"))}
    </time>
  );
}

/** Returns the current time, updated every minute. */
export function useMinute(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE);
    return () => clearInterval(timer);
  }, []);
  return now;
}
