import { Download } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { Section } from "../../page/section.tsx";
import { Button } from "../../ui/components/button.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { useCopy } from "../../ui/use-copy.ts";
import { CopyLabel } from "../copy-label.tsx";
import { BulkProgressBar } from "./bulk-progress-bar.tsx";
import { reportCsv } from "./report-csv.ts";
import { ReportLines } from "./report-lines.tsx";
import { type BulkSending, isRemaining, type ReportedLine } from "./use-bulk-invitations.ts";

type BulkReportProps = { sending: BulkSending; lines: readonly ReportedLine[]; onClose: () => void };

/** Results of the lines of a list, and what can be done with them. Its heading takes the focus after each step. */
export function BulkReport({ sending, lines, onClose }: BulkReportProps) {
  const { t } = useTranslation("bulk");
  const { progress, failure, options, stop } = sending;
  const heading = useRef<HTMLHeadingElement>(null);
  const isRunning = progress !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pressed button is removed when the work begins and ends
  useEffect(() => heading.current?.focus(), [isRunning]);
  const invited = lines.filter(({ state }) => state === "invited").length;
  const hasLinks = lines.some(({ link }) => link !== undefined);
  return (
    <Section
      title={progress ? t(progress.kind) : t("report", { done: invited, total: lines.length })}
      headingRef={heading}
    >
      <div className="flex flex-col gap-4 p-4 sm:p-5">
        {progress && <BulkProgressBar progress={progress} onStop={stop} />}
        <FailureBanner failure={failure} />
        {!isRunning && hasLinks && (
          <p className="text-pretty text-sm leading-text">{t(options.mail ? "mailed" : "once")}</p>
        )}
        {!isRunning && lines.some(({ state }) => state === "unsent") && (
          <p className="text-pretty text-sm leading-text">{t("stopped")}</p>
        )}
        <ReportLines lines={lines} />
        {!isRunning && <ReportActions sending={sending} lines={lines} onClose={onClose} />}
      </div>
    </Section>
  );
}

function ReportActions({ sending, lines, onClose }: BulkReportProps) {
  const { t } = useTranslation("bulk");
  const { isCopied, copy } = useCopy();
  const [asked, setAsked] = useState<"replace" | "revoke" | null>(null);
  const links = lines.flatMap(({ address, link }) => (link === undefined ? [] : [`${address}\t${link}`]));
  const has = (wanted: ReportedLine["state"]) => lines.some(({ state }) => state === wanted);
  const save = () => saveFile(new Blob([reportCsv(lines, t)], { type: "text/csv;charset=utf-8" }), "invitations.csv");
  return (
    <div className="flex flex-wrap justify-end gap-3">
      <p role="status" className="sr-only">
        {isCopied && t("copied")}
      </p>
      {has("invited") && (
        <Button variant="dangerous" className="me-auto" onClick={() => setAsked("revoke")}>
          {t("revoke")}
        </Button>
      )}
      {has("already-invited") && (
        <Button variant="secondary" onClick={() => setAsked("replace")}>
          {t("replace")}
        </Button>
      )}
      <Button variant="secondary" onClick={save}>
        <Download aria-hidden="true" className="size-4" />
        {t("save")}
      </Button>
      {links.length > 0 && (
        <Button variant="secondary" onClick={() => copy(links.join("\n"))}>
          <CopyLabel isCopied={isCopied}>{t("copy")}</CopyLabel>
        </Button>
      )}
      {lines.some(isRemaining) && (
        <Button variant="secondary" onClick={sending.goOn}>
          {t("goOn")}
        </Button>
      )}
      <Button onClick={onClose}>{t("close")}</Button>
      <ConfirmDialog
        isOpen={asked === "revoke"}
        onOpenChange={(isOpen) => !isOpen && setAsked(null)}
        title={t("revokeTitle")}
        description={t("revokeText")}
        confirmLabel={t("revoke")}
        onConfirm={sending.revokeAll}
      />
      <ConfirmDialog
        isOpen={asked === "replace"}
        onOpenChange={(isOpen) => !isOpen && setAsked(null)}
        title={t("replaceTitle")}
        description={t("replaceText")}
        confirmLabel={t("replaceConfirm")}
        onConfirm={sending.replace}
      />
    </div>
  );
}
