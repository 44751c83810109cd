import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "../../accounts/session/session.ts";
import { FormStatusLine } from "../../forms/form-status.tsx";
import { useReveal } from "../../forms/use-reveal.ts";
import { LoadFailure } from "../../page/load-failure.tsx";
import { Row, Section } from "../../page/section.tsx";
import { useAccountDetails } from "../../queries/account-details.ts";
import { Button } from "../../ui/components/button.tsx";
import { EmailForm } from "./email-form.tsx";
import { PendingEmail } from "./pending-email.tsx";

export function EmailSection() {
  const { t } = useTranslation("settings");
  const { user } = useSession();
  const details = useAccountDetails();
  const { isOpen, open, close, trigger } = useReveal();
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const pending = details.value?.pendingEmail ?? null;

  const finish = (pendingEmail: string | null, text: string) => {
    if (details.value) details.change({ ...details.value, pendingEmail });
    setConfirmation(text);
    close();
    // The button that cancelled the change is removed with it.
    if (pendingEmail === null) trigger.current?.focus();
  };

  return (
    <Section title={t("email.title")} text={t("email.text")}>
      <Row isLong title={user?.email} text={t("email.present")}>
        {!isOpen && (
          <Button
            ref={trigger}
            variant="secondary"
            size="small"
            onClick={() => {
              setConfirmation(null);
              open();
            }}
          >
            {t("email.change")}
          </Button>
        )}
      </Row>
      {details.error !== null && (
        <div className="px-4 pb-4 sm:px-5">
          <LoadFailure error={details.error} onRetry={details.reload} />
        </div>
      )}
      {pending !== null && !isOpen && <PendingEmail email={pending} onDone={finish} />}
      {isOpen && <EmailForm onDone={finish} onCancel={close} />}
      <FormStatusLine text={confirmation} />
    </Section>
  );
}
