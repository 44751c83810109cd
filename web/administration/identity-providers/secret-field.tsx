import { useTranslation } from "react-i18next";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import type { ProviderFormState } from "./use-provider-form.ts";

/** The stored client secret in its last characters, which is replaced or removed; it is never shown. */
export function SecretField({ state: { provider, form, secret } }: { state: ProviderFormState }) {
  const { t } = useTranslation("identityProviders");
  const { secretEnd = null, isUnreadable = false } = provider?.client ?? {};
  if (secret.state === "replace") {
    return (
      <div>
        <Field
          label={t("form.clientSecret")}
          hint={provider ? t("form.secretHint") : t("form.newSecretHint")}
          type="password"
          autoComplete="off"
          dir="ltr"
          {...form.fieldProps("clientSecret")}
          required={provider !== null}
        />
        {provider && (
          <Button
            variant="quiet"
            size="small"
            className="mt-2"
            onClick={() => secret.change(isUnreadable ? "remove" : "keep")}
          >
            {isUnreadable || secretEnd === null ? t("secret.without") : t("secret.keep")}
          </Button>
        )}
      </div>
    );
  }
  const isRemoved = secret.state === "remove";
  const hasSecret = secretEnd !== null && !isRemoved;
  const shown = isRemoved ? t("secret.removed") : hasSecret ? `••••${secretEnd}` : t("secret.none");
  return (
    <div>
      <p className="mb-1.5 font-medium text-sm">{t("form.clientSecret")}</p>
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span dir={hasSecret ? "ltr" : "auto"} className="me-2 text-muted tabular-nums">
          {shown}
        </span>
        <Button variant="secondary" size="small" onClick={() => secret.change("replace")}>
          {hasSecret ? t("secret.replace") : t("secret.enter")}
        </Button>
        {hasSecret && (
          <Button variant="quiet" size="small" onClick={() => secret.change("remove")}>
            {t("secret.remove")}
          </Button>
        )}
        {isRemoved && !isUnreadable && (
          <Button variant="quiet" size="small" onClick={() => secret.change("keep")}>
            {t("secret.keep")}
          </Button>
        )}
      </div>
    </div>
  );
}
