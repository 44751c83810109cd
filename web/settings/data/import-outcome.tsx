import { useTranslation } from "react-i18next";
import type { ImportReport } from "#contract/transfer/import/import-source.ts";
import { i18n } from "../../locales/i18n.ts";

const SHOWN = 20;

/** Summary of an import. */
export function ImportOutcome({ result, isStopped }: { result: ImportReport; isStopped: boolean }) {
  const { t } = useTranslation("transfer");
  const { imported, skipped, files } = result;
  const said = [
    t("imported", { count: imported }),
    ...(skipped > 0 ? [t("skipped", { count: skipped })] : []),
    ...(files > 0 ? [t("files", { count: files })] : []),
    ...(isStopped ? [t("stopped")] : []),
  ];
  return (
    <div className="border-hairline border-t px-4 py-4 text-sm leading-text sm:px-5">
      <p role="status">{said.join(" ")}</p>
      <ImportProblems result={result} />
    </div>
  );
}

/** Chats and files that an import has left out, with the reasons. */
export function ImportProblems({ result: { problems, lostFiles } }: { result: ImportReport }) {
  const { t } = useTranslation("transfer");
  const left = problems.flatMap(({ chat, reason }) => (reason === "files" ? [] : [{ chat, reason }]));
  const lacking = problems.filter(({ reason }) => reason === "files");
  return (
    <>
      <Problems
        title={t("left", { count: left.length })}
        problems={left.map(({ chat, reason }) => ({ name: chat, text: t(`reason.${reason}`) }))}
      />
      <Problems
        title={t("lacking", { count: lacking.length })}
        problems={lacking.map(({ chat }) => ({ name: chat }))}
      />
      <Problems
        title={t("lostFiles", { count: lostFiles.length })}
        problems={lostFiles.map(({ name, code }) => ({ name, text: i18n.t(`errors:${code}`) }))}
      />
    </>
  );
}

type Problem = { name: string; text?: string };

function Problems({ title, problems }: { title: string; problems: readonly Problem[] }) {
  const { t } = useTranslation("transfer");
  if (problems.length === 0) return null;
  return (
    <>
      <p className="mt-3 font-medium">{title}</p>
      <ul className="mt-1 list-disc ps-5 text-muted">
        {problems.slice(0, SHOWN).map(({ name, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the list never changes
          <li key={index} className="break-words">
            <bdi className="text-ink">{name}</bdi>
            {text !== undefined && `: ${text}`}
          </li>
        ))}
        {problems.length > SHOWN && <li>{t("more", { count: problems.length - SHOWN })}</li>}
      </ul>
    </>
  );
}
