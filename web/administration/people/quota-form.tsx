import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AdministeredAccount } from "#contract/administration/administration.ts";
import { QUOTA_MAX_MB } from "#contract/limits.ts";
import { Field } from "../../ui/components/field.tsx";
import { RightsForm } from "./rights-form.tsx";
import { useRightsChange } from "./use-rights-change.ts";

type QuotaFormProps = { account: AdministeredAccount; onChange: (account: AdministeredAccount) => void };

/** Returns the entered quota in megabytes; null for the server's; undefined if the text is no quota. */
function quotaFrom(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  const mb = Number(trimmed);
  return /^\d+$/.test(trimmed) && mb >= 1 && mb <= QUOTA_MAX_MB ? mb : undefined;
}

/** Sets the storage quota of an account. */
export function QuotaForm({ account, onChange }: QuotaFormProps) {
  const { t } = useTranslation("administration");
  const { save, form } = useRightsChange(account, onChange);
  const [text, setText] = useState(String(account.quotaMb ?? ""));
  const [isWrong, setWrong] = useState(false);
  const quotaMb = quotaFrom(text);
  const isChanged = quotaMb === undefined || quotaMb !== (account.quotaMb ?? null);
  const submit = () => {
    setWrong(quotaMb === undefined);
    save(quotaMb === undefined ? null : { quotaMb }, t("person.saved"));
  };
  return (
    <RightsForm isChanged={isChanged} {...form} onSave={submit}>
      <Field
        label={t("person.quota")}
        inputMode="numeric"
        autoComplete="off"
        value={text}
        error={isWrong && quotaMb === undefined ? t("person.quotaWrong") : undefined}
        onChange={(event) => setText(event.target.value)}
        className="min-w-48 flex-1"
      />
    </RightsForm>
  );
}
