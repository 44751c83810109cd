import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { ReservedFailureBanner } from "../reserved-failure-banner.tsx";
import type { Verification } from "./use-verification.ts";

export function VerifyForm({ verification }: { verification: Verification }) {
  const { t } = useTranslation("accounts");
  const { key, setKey, verify, isVerifying, keyError, failure } = verification;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void verify();
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-2">
      <Field
        label={t("verify.key")}
        value={key}
        onChange={(event) => setKey(event.target.value)}
        error={keyError ?? undefined}
        autoComplete="one-time-code"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        required
      />
      <Button type="submit" size="large" busy={isVerifying} disabled={isVerifying} className="mt-1 w-full">
        {t(isVerifying ? "verify.submitting" : "verify.submit")}
      </Button>
      <ReservedFailureBanner failure={failure} />
    </form>
  );
}
