import { useTranslation } from "react-i18next";
import { MINUTE, SECOND } from "#contract/limits.ts";

type ReasoningTimeProps = {
  /** Undefined if it is unknown, because the process died meanwhile. */
  durationMs: number | undefined;
  isGrowing?: boolean;
};

/** The title of reasoning, with how long it takes or took. */
export function ReasoningTime({ durationMs, isGrowing = false }: ReasoningTimeProps) {
  const { t, i18n } = useTranslation("parts");
  if (durationMs === undefined) return t("reasoning.label");
  return t(isGrowing ? "reasoning.growing" : "reasoning.done", { time: durationWords(durationMs, i18n.language) });
}

/** Returns a duration in ms as "12s" or "2m 5s"; at least one second. */
export function durationWords(durationMs: number, locale: string): string {
  const seconds = Math.max(1, Math.round(durationMs / SECOND));
  const perMinute = MINUTE / SECOND;
  const units = [
    ["minute", Math.floor(seconds / perMinute)],
    ["second", seconds % perMinute],
  ] as const;
  return units
    .filter(([, value]) => value > 0)
    .map(([unit, value]) => new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "narrow" }).format(value))
    .join(" ");
}
