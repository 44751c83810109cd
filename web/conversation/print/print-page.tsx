/** The page made for printing: all messages of a chat with their formulas, code and diagrams. Loaded when first used. */

import print from "../../locales/en/print.json";
import { registerTexts } from "../../locales/i18n.ts";
import "./print.css";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAuthConfig } from "../../accounts/auth-config.ts";
import { exactTime } from "../../locales/times.ts";
import { PrintContext, PrintWork } from "../../markdown/print-work.ts";
import { richReplyModule } from "../../message/reply-body.tsx";
import { useStore } from "../../store/use-store.ts";
import { PrintDialog } from "../../ui/dialogs/print-dialog.tsx";
import { isPressed } from "../../ui/keys/shortcuts.ts";
import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";
import { SessionMessages } from "../message/session-messages.tsx";
import { PrintBar } from "./print-bar.tsx";
import { PrintedMessages } from "./printed-message.tsx";
import { slicesOf } from "./slices.ts";
import { usePreparation } from "./use-preparation.ts";
import { type Printable, usePrintable } from "./use-printable.ts";

registerTexts("print", print);

const pressModule = lazyModule(() => import("../../markdown/diagrams/diagram-press.tsx"));

type PrintPageProps = { chat: string; onClose: () => void };

/** Covers the chat. Opens the browser's dialog once everything is rendered. */
export default function PrintPage({ chat, onClose }: PrintPageProps) {
  const { t } = useTranslation("print");
  const printable = usePrintable(chat);
  const [work] = useState(() => new PrintWork());
  const [withReasoning, setWithReasoning] = useState(false);
  const slices = useMemo(() => slicesOf(printable?.messages ?? [], withReasoning), [printable, withReasoning]);
  const preparation = usePreparation(work, slices, useIsRendererKnown(work));
  const { isReady } = preparation;
  useEffect(() => () => work.dispose(), [work]);
  const hasPrinted = useRef(false);
  const openDialog = () => {
    hasPrinted.current = true;
    window.print();
  };
  const openOnce = useEffectEvent(() => {
    // Not if the person has already printed.
    if (!hasPrinted.current) openDialog();
  });
  useEffect(() => {
    if (isReady) openOnce();
  }, [isReady]);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!isPressed(event, "print")) return;
    event.preventDefault();
    if (isReady && !event.repeat) openDialog();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
  const bar = (
    <PrintBar
      {...{ chat, printable, withReasoning }}
      onReasoning={setWithReasoning}
      progress={{ ...preparation, total: slices.length, messages: countOf(slices, preparation.count) }}
      onPrint={openDialog}
    />
  );
  const failure = printable === null && (
    <p role="alert" className="px-6 py-16 text-center text-muted print:hidden">
      {t("failed")}
    </p>
  );
  const beside = (
    <>
      {failure}
      <Press work={work} />
    </>
  );
  return (
    <PrintDialog bar={bar} label={t("paper")} beside={beside} onClose={onClose}>
      {printable ? (
        <PrintContext value={work}>
          <Paper printable={printable} work={work} isUnfinished={!isReady}>
            <SessionMessages chat={chat}>
              {slices.slice(0, preparation.count).map((slice) => (
                <PrintedMessages key={slice[0]?.key} messages={slice} withReasoning={withReasoning} />
              ))}
            </SessionMessages>
          </Paper>
        </PrintContext>
      ) : null}
    </PrintDialog>
  );
}

const countOf = (slices: readonly unknown[][], count: number) =>
  slices.slice(0, count).reduce((sum, slice) => sum + slice.length, 0);

/** Loads the renderer of Markdown. Returns whether it is loaded, or failed to: then texts are printed as they are. */
function useIsRendererKnown(work: PrintWork): boolean {
  const isLoaded = useLazyModule(richReplyModule) !== undefined;
  const isMissing = useStore({ subscribe: richReplyModule.subscribe, get: richReplyModule.isMissing });
  useEffect(() => {
    if (isMissing) work.noteMissing();
  }, [work, isMissing]);
  return isLoaded || isMissing;
}

/** Draws the diagrams; loaded with the first one. */
function Press({ work }: { work: PrintWork }) {
  const hasRequests = useStore(work.requests).length > 0;
  const press = useLazyModule(pressModule, hasRequests);
  const isMissing = useStore({ subscribe: pressModule.subscribe, get: pressModule.isMissing });
  useEffect(() => {
    if (!hasRequests || !isMissing || press) return;
    work.noteMissing();
    for (const { resolve } of work.requests.get()) resolve(null);
  }, [work, hasRequests, isMissing, press]);
  return press && <press.DiagramPress work={work} />;
}

type PaperProps = { printable: Printable; work: PrintWork; isUnfinished: boolean; children: React.ReactNode };

/** The sheet, in light colours and the reader's typeface. */
function Paper({ printable, work, isUnfinished, children }: PaperProps) {
  const { t, i18n } = useTranslation("print");
  const { productName } = useAuthConfig();
  const { isIncomplete } = useStore(work.state);
  const [openedAt] = useState(Date.now);
  const [isOffline] = useState(() => !navigator.onLine);
  const { typeface } = document.documentElement.dataset;
  return (
    <div className="print-paper" data-theme="light" data-typeface={typeface}>
      <header>
        <h1 dir="auto">{printable.title}</h1>
        <p>
          <bdi>{productName}</bdi> ·{" "}
          <time dateTime={new Date(openedAt).toISOString()}>{exactTime(openedAt, i18n.language)}</time>
        </p>
        {!printable.isWhole && <p className="print-note">{t("notes.partly")}</p>}
        {printable.isWhole && printable.isStored && isOffline && <p className="print-note">{t("notes.offline")}</p>}
        {isIncomplete && <p className="print-note">{t("notes.asText")}</p>}
        {isUnfinished && <p className="print-note hidden print:block">{t("notes.unfinished")}</p>}
      </header>
      {children}
    </div>
  );
}
