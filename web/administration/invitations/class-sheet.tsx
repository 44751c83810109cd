/** Sheet to print for a class. Loaded when first used. */

import classSheet from "../../locales/en/classSheet.json";
import { i18n, registerTexts } from "../../locales/i18n.ts";
import "../../ui/appearance/printed-page.css";
import "./class-sheet.css";
import { Printer } from "lucide-react";
import { Dialog } from "radix-ui";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAuthConfig } from "../../accounts/auth-config.ts";
import { loadTextsOf, useLanguage } from "../../locales/language.ts";
import { isRightToLeft, type Language, languages } from "../../locales/supported-languages.ts";
import { exactTime } from "../../locales/times.ts";
import { Button } from "../../ui/components/button.tsx";
import { Select } from "../../ui/components/fields/select.tsx";
import { QrCode } from "../../ui/components/qr-code.tsx";
import { DialogClose } from "../../ui/dialogs/dialog.tsx";
import { PrintDialog } from "../../ui/dialogs/print-dialog.tsx";
import { notify } from "../../ui/notifications/notify.ts";
import { type CreatedClassCode, typedAddressOf } from "./created-class-code.ts";

registerTexts("classSheet", classSheet);

type ClassSheetProps = { created: CreatedClassCode; onClose: () => void };

/** Preview of the sheet, which covers the page. On paper there is the sheet alone. */
export function ClassSheet({ created, onClose }: ClassSheetProps) {
  const { t } = useTranslation("classSheet");
  const { language } = useLanguage();
  const [spoken, setSpoken] = useState(language);
  const bar = <SheetBar language={spoken} onLanguage={setSpoken} />;
  return (
    <PrintDialog bar={bar} label={t("paper")} onClose={onClose}>
      <Sheet created={created} language={spoken} />
    </PrintDialog>
  );
}

type SheetBarProps = { language: Language; onLanguage: (language: Language) => void };

function SheetBar({ language, onLanguage }: SheetBarProps) {
  const { t } = useTranslation("classSheet");
  const choose = (value: string) => {
    const tag = languages.find((each) => each.tag === value)?.tag ?? "en";
    loadTextsOf(tag).then(
      () => onLanguage(tag),
      () => notify("error", t("failed")),
    );
  };
  return (
    <div className="relative border-hairline border-b bg-page pt-[env(safe-area-inset-top)] print:hidden">
      <div className="flex min-h-14 flex-wrap items-center gap-2 py-1.5 ps-4 pe-2 sm:flex-nowrap sm:ps-6">
        <Dialog.Title className="min-w-0 flex-1 truncate font-medium text-sm">{t("dialog")}</Dialog.Title>
        <Select
          aria-label={t("language")}
          value={language}
          onChange={({ target }) => choose(target.value)}
          className="max-sm:order-last max-sm:w-full"
        >
          {languages.map(({ tag, name }) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
        </Select>
        <Button size="small" onClick={() => window.print()}>
          <Printer aria-hidden="true" className="size-4" />
          {t("print")}
        </Button>
        <DialogClose />
      </div>
    </div>
  );
}

type SheetProps = { created: CreatedClassCode; language: Language };

/** The sheet in the language of the class. */
function Sheet({ created, language }: SheetProps) {
  const { productName } = useAuthConfig();
  const t = i18n.getFixedT(language, "classSheet");
  const address = typedAddressOf(created);
  const { code, link, invitation } = created;
  return (
    <div
      className="print-paper class-sheet"
      data-theme="light"
      lang={language}
      dir={isRightToLeft(language) ? "rtl" : "ltr"}
    >
      <header>
        <p>
          <bdi>{productName}</bdi>
        </p>
        <h1>{t("title")}</h1>
      </header>
      <div className="class-sheet-entries">
        <QrCode text={link} label={t("qr")} className="qr-code" />
        <dl>
          <dt>{t("address")}</dt>
          <dd dir="ltr">{address}</dd>
          <dt>{t("code")}</dt>
          <dd dir="ltr" className="class-sheet-code">
            {code}
          </dd>
        </dl>
      </div>
      <ol>
        <li>{t("open", { address })}</li>
        <li>{t("enter")}</li>
        <li>{t("fill")}</li>
        <li>{t("confirm")}</li>
      </ol>
      <p>{t("validUntil", { time: exactTime(invitation.expiresAt, language) })}</p>
      {invitation.classCode?.trustedOnly && <p>{t("trustedOnly")}</p>}
    </div>
  );
}
