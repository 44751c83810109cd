import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ForeignReport } from "#contract/transfer/services/receipt.ts";
import { type ImportService, importServiceNames } from "#contract/transfer/transfer.ts";
import { Button } from "../../../ui/components/button.tsx";
import { cx } from "../../../ui/components/cx.ts";
import { Link } from "../../../ui/components/link.tsx";
import { textLink } from "../../../ui/components/text-link.ts";
import { Banner } from "../../../ui/notifications/banner.tsx";
import { saveFile } from "../../../ui/save-file.ts";
import { ImportProblems } from "../import-outcome.tsx";
import { CountList } from "./count-list.tsx";
import { FateTable } from "./fate-table.tsx";
import { reportText, resultCounts } from "./report-text.ts";
import { StepHeading } from "./step-heading.tsx";
import type { Ending } from "./use-moving.ts";

type MovingReportProps = {
  /** Name of the file. */
  name: string;
  service: ImportService;
  report: ForeignReport;
  ending: Ending;
  /** Repeats an import that has not reached the end of the file. */
  onContinue: () => void;
  /** Repeats the import with the chats that stay deleted. */
  onAgain: () => void;
  onClose: () => void;
};

/** What an import did, with the fate of each node of the file. */
export function MovingReport({ name, service, report, ending, onContinue, onAgain, onClose }: MovingReportProps) {
  const { t, i18n } = useTranslation("moving");
  const isComplete = ending.kind === "done";
  const save = () => {
    const date = new Date().toLocaleDateString("sv");
    const text = reportText({ name, service, report, ending, at: Date.now() }, t, i18n.language);
    saveFile(
      new Blob([text], { type: "text/plain" }),
      `${t("report.fileName")} ${importServiceNames[service]} ${date}.txt`,
    );
  };
  return (
    <div className="flex flex-col gap-5 p-4 sm:p-5">
      <StepHeading>{t(`ended.${ending.kind}`)}</StepHeading>
      {!isComplete && (
        <Banner
          tone={ending.kind === "failed" ? "error" : "info"}
          action={
            <Button variant="secondary" size="small" onClick={onContinue}>
              {t("continue")}
            </Button>
          }
        >
          {ending.kind === "failed" && <p>{ending.text}</p>}
          <p>{t("continueText")}</p>
        </Banner>
      )}
      <CountList counts={resultCounts(report, t)} />
      {report.deleted > 0 && (
        <Banner
          tone="info"
          action={
            <Button variant="secondary" size="small" onClick={onAgain}>
              {t("again")}
            </Button>
          }
        >
          {t("againText")}
        </Banner>
      )}
      <div className="text-sm leading-text empty:hidden">
        <ImportProblems result={report} />
      </div>
      <FateTable report={report} isComplete={isComplete} />
      <div className="flex flex-wrap items-center gap-3">
        <Link to="/chat" className={cx(textLink, "inline-flex min-h-6 items-center text-sm pointer-coarse:min-h-11")}>
          {t("toChats")}
        </Link>
        <div className="ms-auto flex flex-wrap gap-3">
          <Button variant="secondary" size="small" onClick={onClose}>
            {t("another")}
          </Button>
          <Button variant="secondary" size="small" onClick={save}>
            <Download aria-hidden="true" className="size-4" />
            {t("download")}
          </Button>
        </div>
      </div>
    </div>
  );
}
