import { type DragEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Section } from "../../page/section.tsx";
import { Button } from "../../ui/components/button.tsx";
import { cx } from "../../ui/components/cx.ts";
import { ChooseFile } from "../../ui/components/fields/choose-file.tsx";
import { Banner } from "../../ui/notifications/banner.tsx";
import { ImportOutcome } from "./import-outcome.tsx";
import { useImport } from "./use-import.ts";

/** Imports chats from a file that is chosen or dropped here. */
export function ImportSection() {
  const { t } = useTranslation("transfer");
  const { state, take, stop } = useImport();
  const [isOver, setIsOver] = useState(false);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    void take(event.dataTransfer.files[0]);
  };
  return (
    <Section title={t("importTitle")} text={t("importText")}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button is the keyboard alternative of dropping */}
      <div
        className={cx("rounded-surface transition-colors", isOver && "bg-accent-soft")}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={onDrop}
      >
        <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-4 sm:px-5">
          {state.kind === "running" ? (
            <RunningImport share={state.share} onStop={stop} />
          ) : (
            <>
              <ChooseFile
                label={t("choose")}
                accept=".json,.zip,application/json,application/zip"
                onChoose={(file) => void take(file)}
              />
              <p className="min-w-0 flex-1 text-muted text-sm pointer-coarse:hidden">{t("drop")}</p>
            </>
          )}
        </div>
        {state.kind === "failed" && <Banner className="mx-4 mb-4 sm:mx-5">{state.text}</Banner>}
        {state.kind === "done" && <ImportOutcome result={state.result} isStopped={state.isStopped} />}
      </div>
    </Section>
  );
}

function RunningImport({ share, onStop }: { share: number; onStop: () => void }) {
  const { t, i18n } = useTranslation("transfer");
  const percent = new Intl.NumberFormat(i18n.language, { style: "percent" });
  return (
    <>
      <div className="min-w-0 flex-1 basis-36">
        <p role="status" className="font-medium text-sm">
          {t("importing")}
        </p>
        <p className="mt-0.5 text-muted text-sm">{t("share", { percent: percent.format(share) })}</p>
        <progress aria-label={t("importing")} max={1} value={share} className="sr-only" />
      </div>
      <Button variant="secondary" size="small" busy onClick={onStop}>
        {t("stop")}
      </Button>
    </>
  );
}
