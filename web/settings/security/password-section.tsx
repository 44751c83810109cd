import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FormStatusLine } from "../../forms/form-status.tsx";
import { useReveal } from "../../forms/use-reveal.ts";
import { Row, Section } from "../../page/section.tsx";
import { Button } from "../../ui/components/button.tsx";
import { PasswordForm } from "./password-form.tsx";

type PasswordSectionProps = { hasPassword: boolean; onChanged: () => void };

export function PasswordSection({ hasPassword, onChanged }: PasswordSectionProps) {
  const { t } = useTranslation("settings");
  const { isOpen, open, close, trigger } = useReveal();
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const done = () => {
    setConfirmation(t(hasPassword ? "password.done" : "password.doneSet"));
    close();
    onChanged();
  };
  return (
    <Section title={t("password.title")} text={t(hasPassword ? "password.text" : "password.textNone")}>
      {isOpen ? (
        <PasswordForm hasPassword={hasPassword} onDone={done} onCancel={close} />
      ) : (
        <Row title={t(hasPassword ? "password.present" : "password.none")}>
          <Button
            ref={trigger}
            variant="secondary"
            size="small"
            onClick={() => {
              setConfirmation(null);
              open();
            }}
          >
            {t(hasPassword ? "password.change" : "password.set")}
          </Button>
        </Row>
      )}
      <FormStatusLine text={confirmation} />
    </Section>
  );
}
