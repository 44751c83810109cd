import { Check, Copy, Download, Printer } from "lucide-react";
import { Dialog } from "radix-ui";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { longDate } from "../../locales/times.ts";
import { useAuthConfig } from "../auth-config.ts";
import { useSession } from "../session/session.ts";
import "../../ui/appearance/printed-page.css";
import { Button } from "../../ui/components/button.tsx";
import { CheckField } from "../../ui/components/fields/check-field.tsx";
import { DialogClose } from "../../ui/dialogs/dialog.tsx";
import { PrintDialog } from "../../ui/dialogs/print-dialog.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { useCopy } from "../../ui/use-copy.ts";

/** Shows new recovery codes, which the server answers only once, until the person has saved them. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { t } = useTranslation("secondFactor");
  const [isSaved, setSaved] = useState(false);
  const [isPrinting, setPrinting] = useState(false);
  const { isCopied, copy } = useCopy();
  const heading = useRef<HTMLHeadingElement>(null);
  const { lines } = useSheetTexts();
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const save = () => {
    const text = [...lines, "", ...codes, ""].join("\n");
    saveFile(new Blob([text], { type: "text/plain;charset=utf-8" }), `${t("codes.fileName")}.txt`);
  };
  return (
    <div className="flex flex-col gap-4 p-4 sm:p-5">
      <div>
        <h3 ref={heading} tabIndex={-1} className="font-medium text-sm">
          {t("codes.title")}
        </h3>
        <p className="mt-1 text-pretty text-muted text-sm leading-text">{t("codes.text")}</p>
      </div>
      <CodeList codes={codes} className="grid gap-x-8 gap-y-1.5 text-sm sm:grid-cols-2" />
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" size="small" onClick={() => copy(codes.join("\n"))}>
          {isCopied ? <Check aria-hidden="true" className="size-4" /> : <Copy aria-hidden="true" className="size-4" />}
          <span aria-live="polite">{t(isCopied ? "enrol.copied" : "codes.copy")}</span>
        </Button>
        <Button variant="secondary" size="small" onClick={() => setPrinting(true)}>
          <Printer aria-hidden="true" className="size-4" />
          {t("codes.print")}
        </Button>
        <Button variant="secondary" size="small" onClick={save}>
          <Download aria-hidden="true" className="size-4" />
          {t("codes.save")}
        </Button>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <CheckField
          label={t("codes.saved")}
          checked={isSaved}
          onChange={({ currentTarget }) => setSaved(currentTarget.checked)}
        />
        <Button disabled={!isSaved} onClick={onDone} className="ms-auto">
          {t("codes.done")}
        </Button>
      </div>
      {isPrinting && <Sheet codes={codes} onClose={() => setPrinting(false)} />}
    </div>
  );
}

function CodeList({ codes, className }: { codes: readonly string[]; className: string }) {
  return (
    <ul dir="ltr" className={`font-mono tabular-nums ${className}`}>
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
  );
}

/** Texts of the sheet and of the file: they say to what the codes belong. */
function useSheetTexts() {
  const { t, i18n } = useTranslation("secondFactor");
  const { productName } = useAuthConfig();
  const { user } = useSession();
  const [now] = useState(Date.now);
  const lines = [
    t("codes.heading", { product: productName }),
    t("codes.account", { username: user?.username ?? "", date: longDate(now, i18n.language) }),
    t("codes.once"),
  ];
  return { lines };
}

/** The codes as a page to print. */
function Sheet({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation("secondFactor");
  const { lines } = useSheetTexts();
  const [title, ...texts] = lines;
  const bar = (
    <div className="flex min-h-14 items-center gap-2 border-hairline border-b bg-page py-1.5 ps-4 pe-2 sm:ps-6 print:hidden">
      <Dialog.Title className="min-w-0 flex-1 truncate font-medium text-sm">{t("recoveryCodes")}</Dialog.Title>
      <Button size="small" onClick={() => window.print()}>
        <Printer aria-hidden="true" className="size-4" />
        {t("codes.print")}
      </Button>
      <DialogClose />
    </div>
  );
  return (
    <PrintDialog bar={bar} label={t("recoveryCodes")} onClose={onClose}>
      <div className="print-paper" data-theme="light">
        <header>
          <h1>{title}</h1>
          {texts.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </header>
        <CodeList codes={codes} className="grid gap-3 text-lg" />
      </div>
    </PrintDialog>
  );
}
