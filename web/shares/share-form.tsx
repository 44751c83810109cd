import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Share, ShareRules } from "#contract/shares/shares.ts";
import { FailureBanner } from "../forms/failure-banner.tsx";
import { exactTime } from "../locales/times.ts";
import { Button } from "../ui/components/button.tsx";
import { textLink } from "../ui/components/text-link.ts";
import { Banner } from "../ui/notifications/banner.tsx";
import { ChatLinks } from "./chat-links.tsx";
import { ShareFields } from "./share-fields.tsx";
import { reachText } from "./share-texts.ts";
import type { ShareFormState } from "./use-share-form.ts";

type ShareFormProps = {
  /** Id of the form element, to which the button of {@link ShareFooter} belongs. */
  id: string;
  form: ShareFormState;
  rules: ShareRules;
  /** The links to the chat. */
  shares: readonly Share[];
  isWriting: boolean;
};

const canPublish = ({ draft, isSending }: ShareFormState) =>
  draft.preview !== null && !draft.isBusy && draft.failure === null && !isSending;

/** The links to a chat, and the choices of one to be made or updated. */
export function ShareForm({ id, form, rules, shares, isWriting }: ShareFormProps) {
  const { t } = useTranslation("shares");
  return (
    <form
      id={id}
      className="flex flex-col gap-5 p-4 sm:p-6 md:min-h-0 md:overflow-y-auto md:overscroll-contain"
      onSubmit={(event) => {
        event.preventDefault();
        // React events bubble through portals to the React parent: the chat's form would be submitted too.
        event.stopPropagation();
        if (canPublish(form)) void form.publish();
      }}
    >
      {shares.length > 0 && <ChatLinks shares={shares} rules={rules} onUpdate={form.update} />}
      <FormTitle replaced={form.replaced} hasLinks={shares.length > 0} onLeave={() => form.update(null)} />
      {isWriting && <Banner tone="info">{t("form.writing")}</Banner>}
      <ShareFields form={form} rules={rules} />
    </form>
  );
}

/** The button of the form, below the preview on a phone, and what it will do. */
export function ShareFooter({ id, form }: Pick<ShareFormProps, "id" | "form">) {
  const { t } = useTranslation("shares");
  const { replaced, failure, isSending, audience, expiresAt } = form;
  const create = isSending ? "form.creating" : "form.create";
  const save = isSending ? "form.saving" : "form.save";
  return (
    <div className="flex flex-col gap-3 border-hairline border-t bg-raised p-4 max-md:sticky max-md:bottom-0 max-md:z-1 max-md:pb-[max(1rem,env(safe-area-inset-bottom))] sm:px-6 md:col-start-1">
      <FailureBanner failure={failure} />
      <p className="text-pretty text-muted text-sm leading-text">{reachText(audience, expiresAt)}</p>
      <Button type="submit" form={id} busy={isSending} aria-disabled={!canPublish(form) || undefined}>
        {t(replaced ? save : create)}
      </Button>
    </div>
  );
}

type FormTitleProps = { replaced: Share | null; hasLinks: boolean; onLeave: () => void };

/** Explains what the form makes. */
function FormTitle({ replaced, hasLinks, onLeave }: FormTitleProps) {
  const { t, i18n } = useTranslation("shares");
  const heading = useRef<HTMLHeadingElement>(null);
  const id = replaced?.id;
  useEffect(() => {
    if (id !== undefined) heading.current?.focus();
  }, [id]);
  const time = replaced && exactTime(replaced.createdAt, i18n.language);
  return (
    <div>
      {hasLinks && (
        <h3 ref={heading} tabIndex={-1} className="mb-1 scroll-mb-48 font-medium text-sm">
          {time === null ? t("form.new") : t("form.update", { time })}
        </h3>
      )}
      <p className="text-pretty text-muted text-sm leading-text">{t(replaced ? "form.updateText" : "intro")}</p>
      {replaced && (
        <button type="button" className={`${textLink} mt-1 text-sm`} onClick={onLeave}>
          {t("form.leave")}
        </button>
      )}
    </div>
  );
}
