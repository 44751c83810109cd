import { FileUp } from "lucide-react";
import { type DragEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureText } from "../../forms/failure-text.ts";
import { Section } from "../../page/section.tsx";
import { FileRefusal } from "../../transfer/file-refusal.ts";
import { type ImportReport, importFile } from "../../transfer/import-file.ts";
import { Button } from "../../ui/components/button.tsx";
import { cx } from "../../ui/components/cx.ts";
import { Banner } from "../../ui/notifications/banner.tsx";
import { ImportOutcome } from "./import-outcome.tsx";

const nothing: ImportReport = {
  ...{ imported: 0, skipped: 0, folders: 0, presets: 0, problems: [] },
  ...{ files: 0, lostFiles: [] },
};

const refusalTexts = {
  "not-an-export": "notAnExport",
  "newer-export": "newerExport",
  "broken-archive": "brokenArchive",
  "archive-too-complex": "archiveTooComplex",
} as const satisfies Record<FileRefusal["reason"], string>;

type State =
  | { kind: "idle" }
  | { kind: "running"; share: number; imported: number }
  | { kind: "done"; result: ImportReport; isStopped: boolean }
  | { kind: "failed"; text: string };

/** Imports chats from a file that is chosen or dropped here. */
export function ImportSection() {
  const { t, i18n } = useTranslation("transfer");
  const [state, setState] = useState<State>({ kind: "idle" });
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const work = useRef<AbortController | null>(null);
  useEffect(() => () => work.current?.abort(), []);

  const take = async (file: File | undefined) => {
    if (!file || state.kind === "running") return;
    const own = new AbortController();
    work.current = own;
    let result = nothing;
    setState({ kind: "running", share: 0, imported: 0 });
    try {
      result = await importFile(file, own.signal, (share, sofar) => {
        result = sofar;
        setState({ kind: "running", share, imported: sofar.imported });
      });
      setState({ kind: "done", result, isStopped: false });
    } catch (error) {
      if (own.signal.aborted) setState({ kind: "done", result, isStopped: true });
      else if (error instanceof FileRefusal) setState({ kind: "failed", text: t(refusalTexts[error.reason]) });
      else setState({ kind: "failed", text: `${failureText(error) ?? ""} ${t("again")}` });
    }
  };

  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    void take(event.dataTransfer.files[0]);
  };
  const percent = new Intl.NumberFormat(i18n.language, { style: "percent" });

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
            <>
              <div className="min-w-0 flex-1 basis-36">
                <p role="status" className="font-medium text-sm">
                  {t("importing")}
                </p>
                <p className="mt-0.5 text-muted text-sm">{t("share", { percent: percent.format(state.share) })}</p>
                <progress aria-label={t("importing")} max={1} value={state.share} className="sr-only" />
              </div>
              <Button variant="secondary" size="small" busy onClick={() => work.current?.abort()}>
                {t("stop")}
              </Button>
            </>
          ) : (
            <>
              <Button variant="secondary" size="small" onClick={() => input.current?.click()}>
                <FileUp aria-hidden="true" className="size-4" />
                {t("choose")}
              </Button>
              <p className="min-w-0 flex-1 text-muted text-sm pointer-coarse:hidden">{t("drop")}</p>
            </>
          )}
          <input
            ref={input}
            type="file"
            accept=".json,.zip,application/json,application/zip"
            hidden
            onChange={({ currentTarget }) => {
              void take(currentTarget.files?.[0]);
              // Reset, so that choosing the same file again fires a change event.
              currentTarget.value = "";
            }}
          />
        </div>
        {state.kind === "failed" && <Banner className="mx-4 mb-4 sm:mx-5">{state.text}</Banner>}
        {state.kind === "done" && <ImportOutcome result={state.result} isStopped={state.isStopped} />}
      </div>
    </Section>
  );
}
