import { Printer } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Section } from "../../page/section.tsx";
import { useMinute } from "../../page/time-ago.tsx";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";
import { useCopy } from "../../ui/use-copy.ts";
import { CopyLabel } from "../copy-label.tsx";
import { type CreatedClassCode, typedAddressOf } from "./created-class-code.ts";
import { timeUntil } from "./time-until.ts";

const sheetModule = lazyModule(() => import("./class-sheet.tsx"));

type CreatedCodeProps = { created: CreatedClassCode; onClose: () => void };

/** A new class code, large enough to be projected. Its heading takes the focus. */
export function CreatedCode({ created, onClose }: CreatedCodeProps) {
  const { t, i18n } = useTranslation("invitations");
  const { code, link, invitation } = created;
  const { isCopied, copy } = useCopy();
  const now = useMinute();
  const [isPrinting, setPrinting] = useState(false);
  const sheet = useLazyModule(sheetModule, isPrinting, () => setPrinting(false));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Section title={t("createdCode.title")} headingRef={heading}>
      <div className="flex flex-col gap-4 p-4 sm:p-5">
        <p className="text-pretty text-sm leading-text [overflow-wrap:anywhere]">
          {t("createdCode.text", { address: typedAddressOf(created) })} {t("createdCode.once")}
        </p>
        <div className="rounded-control bg-sunken px-3 py-6 text-center">
          <p className="text-muted text-sm">{t("createdCode.code")}</p>
          <p dir="ltr" className="mt-1 select-all font-mono font-semibold text-[clamp(2rem,11vw,4rem)] tracking-wide">
            {code}
          </p>
          <p className="mt-1 text-muted text-sm">
            {invitation.expiresAt <= now
              ? t("state.expired")
              : t("expires", { time: timeUntil(invitation.expiresAt, now, i18n.language) })}
          </p>
        </div>
        <Field
          label={t("createdCode.link")}
          value={link}
          readOnly
          dir="ltr"
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <p role="status" className="sr-only">
          {isCopied && t("created.copied")}
        </p>
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="quiet" onClick={onClose}>
            {t("created.close")}
          </Button>
          <Button variant="secondary" onClick={() => copy(code)}>
            <CopyLabel isCopied={isCopied}>{t("createdCode.copy")}</CopyLabel>
          </Button>
          <Button busy={isPrinting && !sheet} onClick={() => setPrinting(true)}>
            <Printer aria-hidden="true" className="size-4" />
            {t("createdCode.sheet")}
          </Button>
        </div>
      </div>
      {sheet && <sheet.ClassSheet created={created} onClose={() => setPrinting(false)} />}
    </Section>
  );
}
