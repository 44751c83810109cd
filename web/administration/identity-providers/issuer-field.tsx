import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Field } from "../../ui/components/fields/field.tsx";
import { SelectField } from "../../ui/components/fields/select-field.tsx";
import { issuerForms, OTHER_ISSUER } from "./issuer-forms.ts";
import { CheckButton, MetadataCheckResult } from "./metadata-check-result.tsx";
import type { ProviderFormState } from "./use-provider-form.ts";

type IssuerFieldProps = {
  state: ProviderFormState;
  /** Field between the choice of the product and the issuer. */
  children: ReactNode;
};

/** Issuer with its test; of a new provider also the choice of the product, which shows the form of its issuer. */
export function IssuerField({ state, children }: IssuerFieldProps) {
  const { t } = useTranslation("identityProviders");
  const { provider, form, check } = state;
  const [product, setProduct] = useState("");
  const [issuer, setIssuer] = useState(provider?.issuer ?? "");
  const [tested, setTested] = useState("");
  const known = issuerForms.find(({ id }) => id === product);
  const isInsecure = /^http:/i.test(issuer.trim());
  const hint = known ? t("form.issuerForm", { form: known.issuer }) : t("form.issuerHint");
  const test = () => {
    setTested(issuer.trim());
    check.check({ issuer: issuer.trim() });
  };
  if (provider) {
    return (
      <>
        {children}
        <Field
          label={t("form.issuer")}
          hint={t("form.issuerFixed")}
          name="issuer"
          dir="ltr"
          readOnly
          value={provider.issuer}
        />
      </>
    );
  }
  return (
    <>
      <SelectField label={t("form.product")} value={product} onChange={({ target }) => setProduct(target.value)}>
        <option value="">{t("form.otherProduct")}</option>
        {issuerForms.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {children}
      <div>
        <Field
          label={t("form.issuer")}
          hint={hint}
          warning={isInsecure ? t("form.insecure") : null}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          placeholder={known?.issuer ?? OTHER_ISSUER}
          value={issuer}
          onChange={({ target }) => {
            setIssuer(target.value);
            check.forget();
          }}
          {...form.fieldProps("issuer")}
        />
        <div className="mt-3 flex flex-col gap-3">
          {issuer.trim() !== "" && (
            <div>
              <CheckButton check={check} name="" onCheck={test} />
            </div>
          )}
          <MetadataCheckResult
            check={check}
            issuer={tested}
            onIssuer={(stated) => {
              setIssuer(stated);
              check.forget();
            }}
          />
        </div>
      </div>
    </>
  );
}
