import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Section } from "../../page/section.tsx";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { useCopy } from "../../ui/use-copy.ts";
import { CopyLabel } from "../copy-label.tsx";

type CreatedLinkProps = {
  link: string;
  /** How the people get the link. */
  text: string;
  /** Heading, and label of the link; by default those of an invitation. */
  title?: string;
  label?: string;
  onClose: () => void;
};

/** The link of a new invitation or offer, which no later answer contains. Its heading takes the focus. */
export function CreatedLink({ link, text, title, label, onClose }: CreatedLinkProps) {
  const { t } = useTranslation("invitations");
  const { isCopied, copy } = useCopy();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Section title={title ?? t("created.title")} headingRef={heading}>
      <div className="flex flex-col gap-4 p-4 sm:p-5">
        <p className="text-pretty text-sm leading-text [overflow-wrap:anywhere]">{text}</p>
        <Field
          label={label ?? t("created.link")}
          hint={t("created.once")}
          value={link}
          readOnly
          dir="ltr"
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <p role="status" className="sr-only">
          {isCopied && t("created.copied")}
        </p>
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="secondary" onClick={onClose}>
            {t("created.close")}
          </Button>
          <Button onClick={() => copy(link)}>
            <CopyLabel isCopied={isCopied}>{t("created.copy")}</CopyLabel>
          </Button>
        </div>
      </div>
    </Section>
  );
}
