/** Lazy module that imports a file of another service: reading, preview and choices, progress, report. */

import { useTranslation } from "react-i18next";
import { importServiceNames } from "#contract/transfer/transfer.ts";
import moving from "../../../locales/en/moving.json";
import { registerTexts } from "../../../locales/i18n.ts";
import { MovingReport } from "./moving-report.tsx";
import { Preview } from "./preview.tsx";
import { StepProgress } from "./step-progress.tsx";
import { useMoving } from "./use-moving.ts";

registerTexts("moving", moving);

type MovingProps = {
  file: File;
  /** Called when the person wants another file or none. */
  onClose: () => void;
  /** Called with the error if the file cannot be read. */
  onRefused: (error: unknown) => void;
};

export default function Moving({ file, onClose, onRefused }: MovingProps) {
  const { t, i18n } = useTranslation("moving");
  const { step, start, stop } = useMoving(file, onRefused);
  if (step.kind === "reading") {
    return (
      <StepProgress
        key="reading"
        title={t("reading", { name: file.name })}
        text={t("readingText")}
        share={step.share}
        stopLabel={t("cancel")}
        onStop={onClose}
      />
    );
  }
  const { surveyed } = step;
  if (step.kind === "preview") {
    return <Preview surveyed={surveyed} onImport={(choice) => void start(surveyed, choice)} onCancel={onClose} />;
  }
  if (step.kind === "importing") {
    const percent = new Intl.NumberFormat(i18n.language, { style: "percent" }).format(step.share);
    return (
      <StepProgress
        key="importing"
        title={t("importing", { service: importServiceNames[surveyed.service] })}
        text={t("soFar", { percent, number: new Intl.NumberFormat(i18n.language).format(step.imported) })}
        share={step.share}
        stopLabel={t("stop")}
        onStop={stop}
      />
    );
  }
  const { report, ending, choice } = step;
  return (
    <MovingReport
      name={file.name}
      service={surveyed.service}
      report={report}
      ending={ending}
      onContinue={() => void start(surveyed, choice)}
      onAgain={() => void start(surveyed, { ...choice, again: true })}
      onClose={onClose}
    />
  );
}
