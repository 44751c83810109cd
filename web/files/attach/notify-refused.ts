import { i18n } from "../../locales/i18n.ts";
import { notify } from "../../ui/notifications/notify.ts";
import { failureWords } from "./failure-words.ts";

/** More names of refused files are counted. */
const NAMES_MAX = 10;

/** Shows one notification that names each refused file with the reason, by its error code. `folders`: their number. */
export function notifyRefused(problems: readonly { name: string; code: string }[], folders = 0): void {
  const names = new Map<string, string[]>();
  for (const { name, code } of problems) names.set(code, [...(names.get(code) ?? []), name]);
  const lines: string[] = [...names].map(([code, all]) => {
    const more = all.length > NAMES_MAX ? [`+${all.length - NAMES_MAX}`] : [];
    const name = [...all.slice(0, NAMES_MAX), ...more].join(", ");
    return i18n.t("files:problem", { name, reason: failureWords(code) });
  });
  if (lines.length > 0) lines.unshift(i18n.t("files:refused"));
  if (folders > 0) lines.push(i18n.t("files:folders"));
  if (lines.length > 0) notify("error", lines.join("\n"));
}
