import { FileDown, Printer } from "lucide-react";
import { Dialog } from "radix-ui";
import { useId, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { organiserModule } from "../../chats/organiser-module.ts";
import { Button } from "../../ui/components/button.tsx";
import { Switch } from "../../ui/components/fields/switch.tsx";
import { DialogClose } from "../../ui/dialogs/dialog.tsx";
import { toReasoning } from "./printed-parts.tsx";
import type { Printable } from "./use-printable.ts";

/** `count` and `total` in slices, `messages`: the number of rendered messages. */
type Progress = { count: number; total: number; messages: number; isMounted: boolean; isReady: boolean };

type PrintBarProps = {
  chat: string;
  printable: Printable | null | undefined;
  progress: Progress;
  withReasoning: boolean;
  onReasoning: (isPrinted: boolean) => void;
  onPrint: () => void;
};

/** Title, progress and buttons above the sheet; not printed. */
export function PrintBar({ chat, printable, progress, withReasoning, onReasoning, onPrint }: PrintBarProps) {
  const { t } = useTranslation("print");
  const id = useId();
  const hasReasoning = useMemo(
    () => printable?.messages.some(({ parts = [] }) => parts.some((part) => toReasoning(part))) ?? false,
    [printable],
  );
  const save = async () => {
    const organiser = await organiserModule.ask();
    await organiser?.exportChat(chat, "html", { withReasoning });
  };
  return (
    <div className="relative border-hairline border-b bg-page pt-[env(safe-area-inset-top)] print:hidden">
      <div className="flex min-h-14 flex-wrap items-center gap-2 py-1.5 ps-4 pe-2 sm:flex-nowrap sm:ps-6">
        <div className="min-w-0 flex-1">
          <Dialog.Title className="truncate font-medium text-sm">{t("title")}</Dialog.Title>
          {printable !== null && <ProgressText printable={printable} progress={progress} />}
        </div>
        {hasReasoning && (
          <label
            htmlFor={id}
            className="flex min-h-8 shrink-0 cursor-pointer items-center gap-2.5 text-sm max-sm:order-last max-sm:w-full pointer-coarse:min-h-11 sm:me-2"
          >
            <Switch id={id} checked={withReasoning} onChange={onReasoning} />
            {t("reasoning")}
          </label>
        )}
        {printable?.isStored && (
          <Button variant="quiet" size="small" className="text-muted max-sm:min-w-11 max-sm:px-0" onClick={save}>
            <FileDown aria-hidden="true" className="size-4" />
            <span className="max-sm:sr-only">{t("save")}</span>
          </Button>
        )}
        {printable && (
          <Button size="small" onClick={onPrint}>
            <Printer aria-hidden="true" className="size-4" />
            {t("print")}
          </Button>
        )}
        <DialogClose />
      </div>
      {!progress.isReady && printable !== null && (
        <div
          role="progressbar"
          aria-label={t("title")}
          aria-valuemin={0}
          aria-valuemax={progress.total}
          aria-valuenow={progress.count}
          className="absolute inset-x-0 -bottom-px h-0.5 overflow-hidden"
        >
          <div
            className="h-full bg-accent"
            style={{ inlineSize: `${progress.total === 0 ? 0 : (100 * progress.count) / progress.total}%` }}
          />
        </div>
      )}
    </div>
  );
}

function ProgressText({ printable, progress }: Pick<PrintBarProps, "printable" | "progress">) {
  const { t, i18n } = useTranslation(["print", "app"]);
  const words = () => {
    if (!printable) return t("app:loading");
    if (progress.isReady) return t("print:ready");
    if (progress.isMounted) return t("print:finishing");
    const number = new Intl.NumberFormat(i18n.language);
    return t("print:preparing", {
      n: number.format(progress.messages),
      total: number.format(printable.messages.length),
    });
  };
  return (
    <>
      {/* Only the end is announced; the progress bar has the rest. */}
      <p aria-hidden="true" className="truncate text-muted text-xs tabular-nums">
        {words()}
      </p>
      <p role="status" className="sr-only">
        {progress.isReady && t("print:ready")}
      </p>
    </>
  );
}
