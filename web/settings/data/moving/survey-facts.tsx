import { useTranslation } from "react-i18next";
import { importServiceNames } from "#contract/transfer/transfer.ts";
import { CountList } from "./count-list.tsx";
import type { Surveyed } from "./use-moving.ts";

/** Numbers of a file: its chats, messages, files and their time, and what of it is left out. */
export function SurveyFacts({ surveyed }: { surveyed: Surveyed }) {
  const { t, i18n } = useTranslation("moving");
  const { chats, files, fates, unreadable, missingFiles, brokenChats, service, folders } = surveyed;
  const leftOut = [
    { label: t("leftOut.hidden"), count: fates.hidden },
    { label: t("leftOut.broken"), count: unreadable.broken ?? 0 },
    { label: t("leftOut.unknown-kind"), count: unreadable["unknown-kind"] ?? 0 },
    { label: t("leftOut.missingFiles"), count: missingFiles },
    { label: t("leftOut.brokenChats"), count: brokenChats },
    { label: t("results.projectDocuments"), count: folders.reduce((sum, { documents }) => sum + documents, 0) },
  ].filter(({ count }) => count > 0);
  return (
    <>
      <CountList
        counts={[
          { label: t("facts.chats"), count: chats.length },
          { label: t("facts.messages"), count: chats.reduce((sum, { messages }) => sum + messages, 0) },
          { label: t("facts.files"), count: files },
          ...(chats.length > 0 ? [{ label: t("facts.span"), count: spanText(chats, i18n.language) }] : []),
        ]}
      />
      {leftOut.length === 0 && <p className="text-muted text-sm">{t("complete")}</p>}
      {leftOut.length > 0 && (
        <div>
          <h4 className="font-medium text-sm">{t("leftOut.title")}</h4>
          <p className="mt-0.5 text-pretty text-muted text-sm leading-text">
            {t("leftOut.text", { service: importServiceNames[service] })}
          </p>
          <CountList counts={leftOut} className="mt-2" />
        </div>
      )}
    </>
  );
}

/** Formats the time from the first to the last activity, e.g. "March 3 – November 17, 2025". */
function spanText(chats: Surveyed["chats"], locale: string): string {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { updatedAt } of chats) {
    first = Math.min(first, updatedAt);
    last = Math.max(last, updatedAt);
  }
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium" }).formatRange(first, last);
}
