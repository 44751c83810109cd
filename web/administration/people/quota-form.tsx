import { useTranslation } from "react-i18next";
import { QUOTA_MAX_MB } from "#contract/limits.ts";
import { Field } from "../../ui/components/fields/field.tsx";
import { RightsForm } from "./rights-form.tsx";
import { type RightsProps, useRightsForm } from "./use-rights-form.ts";

/** Returns the entered quota in megabytes; null for the server's; undefined if the text is no quota. */
function quotaFrom(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  const mb = Number(trimmed);
  return /^\d+$/.test(trimmed) && mb >= 1 && mb <= QUOTA_MAX_MB ? mb : undefined;
}

/** Sets the storage quota of an account. */
export function QuotaForm(props: RightsProps) {
  const { t } = useTranslation("administration");
  const { quotaMb: current = null } = props.account;
  const { value, setValue, isWrong, form } = useRightsForm(props, {
    current: String(current ?? ""),
    toChange: (text) => {
      const quotaMb = quotaFrom(text);
      if (quotaMb === undefined) return undefined;
      return quotaMb === current ? null : { quotaMb };
    },
    saved: t("person.saved"),
  });
  return (
    <RightsForm {...form}>
      <Field
        label={t("person.quota")}
        inputMode="numeric"
        autoComplete="off"
        value={value}
        error={isWrong ? t("person.quotaWrong") : undefined}
        onChange={(event) => setValue(event.target.value)}
        className="min-w-48 flex-1"
      />
    </RightsForm>
  );
}
