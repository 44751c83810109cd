import { useTranslation } from "react-i18next";
import type { ImportResult } from "#contract/transfer.ts";

const SHOWN = 20;

/** Summary of an import. */
export function ImportOutcome({ result, isStopped }: { result: ImportResult; isStopped: boolean }) {
  const { t } = useTranslation("transfer");
  const { imported, skipped, problems } = result;
  const said = [
    t("imported", { count: imported }),
    ...(skipped > 0 ? [t("skipped", { count: skipped })] : []),
    ...(isStopped ? [t("stopped")] : []),
  ];
  return (
    <div className="border-hairline border-t px-4 py-4 text-sm leading-text sm:px-5">
      <p role="status">{said.join(" ")}</p>
      {problems.length > 0 && (
        <>
          <p className="mt-3 font-medium">{t("left", { count: problems.length })}</p>
          <ul className="mt-1 list-disc ps-5 text-muted">
            {problems.slice(0, SHOWN).map(({ chat, reason }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the list never changes
              <li key={place} className="break-words">
                <span className="text-ink">{chat}</span>: {t(`reason.${reason}`)}
              </li>
            ))}
            {problems.length > SHOWN && <li>{t("more", { count: problems.length - SHOWN })}</li>}
          </ul>
        </>
      )}
    </div>
  );
}
