import { ChevronRight } from "lucide-react";
import { type DragEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { Section } from "../../page/section.tsx";
import { Button } from "../../ui/components/button.tsx";
import { cx } from "../../ui/components/cx.ts";
import { ChooseFile } from "../../ui/components/fields/choose-file.tsx";
import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";
import { Banner } from "../../ui/notifications/banner.tsx";
import { useImport } from "./use-import.ts";

const outcomeModule = lazyModule(async () => (await import("./import-outcome.tsx")).ImportOutcome);
const movingModule = lazyModule(() => import("./moving/moving.tsx"));
const waysModule = lazyModule(() => import("./moving/ways.tsx"));

/** Imports chats from a file that is chosen or dropped here. */
export function ImportSection() {
  const { t } = useTranslation("transfer");
  const { state, take, stop, refuse, close } = useImport();
  const [isOver, setIsOver] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const { hash } = useLocation();
  useEffect(() => {
    if (hash === "#import") heading.current?.focus();
  }, [hash]);
  const closeMoving = () => {
    close();
    heading.current?.focus();
  };
  // Loaded with the beginning of an import.
  const Outcome = useLazyModule(outcomeModule, state.kind === "running" || state.kind === "done", () => {});
  const Moving = useLazyModule(movingModule, state.kind === "foreign", close)?.default;
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    void take(event.dataTransfer.files[0]);
  };
  return (
    <Section title={t("importTitle")} text={t("importText")} headingRef={heading}>
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
        {state.kind === "foreign" && Moving ? (
          <Moving file={state.file} onClose={closeMoving} onRefused={refuse} />
        ) : (
          <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-4 sm:px-5">
            {state.kind === "running" || state.kind === "foreign" ? (
              <RunningImport share={state.kind === "running" ? state.share : 0} onStop={stop} />
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
        )}
        {state.kind === "failed" && <Banner className="mx-4 mb-4 sm:mx-5">{state.text}</Banner>}
        {state.kind === "done" && Outcome && <Outcome result={state.result} isStopped={state.isStopped} />}
      </div>
      {state.kind !== "foreign" && <HowTo />}
    </Section>
  );
}

/** Disclosure of the ways to get an export from other services. */
function HowTo() {
  const { t } = useTranslation("transfer");
  const [isOpen, setOpen] = useState(false);
  const Ways = useLazyModule(waysModule, isOpen, () => setOpen(false))?.default;
  return (
    <div className="border-hairline border-t px-4 py-3 sm:px-5">
      <button
        type="button"
        aria-expanded={isOpen}
        className="flex min-h-6 items-center gap-1.5 rounded-control text-muted text-sm hover:text-ink pointer-coarse:min-h-11"
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight
          aria-hidden="true"
          className={cx("size-4 shrink-0 transition-transform", isOpen ? "rotate-90" : "rtl:-scale-x-100")}
        />
        {t("howTo")}
      </button>
      {isOpen && Ways && <Ways />}
    </div>
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
