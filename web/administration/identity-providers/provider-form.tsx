import { ChevronDown } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { PROVIDER_NAME_MAX } from "#contract/accounts/identity-providers.ts";
import { type AdministeredProvider, defaultProviderSettings } from "#contract/administration/identity-providers.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormFooter } from "../../forms/form-footer.tsx";
import { Button } from "../../ui/components/button.tsx";
import { cx } from "../../ui/components/cx.ts";
import { CheckField } from "../../ui/components/fields/check-field.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { IssuerField } from "./issuer-field.tsx";
import { RulesFields } from "./rules-fields.tsx";
import { SecretField } from "./secret-field.tsx";
import { type ProviderFormState, useProviderForm } from "./use-provider-form.ts";

const plain = { autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const;

type ProviderFormProps = {
  /** Null: a new one. */
  provider: AdministeredProvider | null;
  /** Shows the addresses of a new provider by its name. */
  addressesFor?: (name: string) => ReactNode;
  onSaved: (provider: AdministeredProvider) => void;
  onCancel: () => void;
};

/** Form of a new provider, or of a stored one, whose heading takes the focus. */
export function ProviderForm({ provider, addressesFor, onSaved, onCancel }: ProviderFormProps) {
  const { t } = useTranslation("identityProviders");
  const state = useProviderForm({ provider, onSaved });
  const { form } = state;
  const [name, setName] = useState(provider?.name ?? "");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const hasErrorInMore = (["scopes", "groupsClaim"] as const).some((field) => form.fieldProps(field).error);
  return (
    <form {...form.formProps} className="flex flex-col gap-5 p-4 sm:p-5">
      {provider && (
        <h3 ref={heading} tabIndex={-1} className="font-semibold text-base">
          {t("editLabel", { name: provider.name })}
        </h3>
      )}
      <FailureBanner failure={form.failure} />
      <IssuerField state={state}>
        <Field
          label={t("form.name")}
          hint={provider ? t("form.nameHintStored") : t("form.nameHint")}
          maxLength={PROVIDER_NAME_MAX}
          autoComplete="off"
          value={name}
          onChange={({ target }) => setName(target.value)}
          {...form.fieldProps("name")}
        />
      </IssuerField>
      {addressesFor && name.trim() !== "" && (
        <div className="rounded-control border border-hairline p-4">{addressesFor(name)}</div>
      )}
      <Field
        label={t("form.clientId")}
        dir="ltr"
        defaultValue={provider?.client?.id}
        {...plain}
        {...form.fieldProps("clientId")}
      />
      <SecretField state={state} />
      <Disclosure title={t("form.more")} isForced={hasErrorInMore}>
        <MoreFields state={state} />
      </Disclosure>
      <Disclosure title={t("rules.title")} isForced={state.rulesError !== null}>
        <RulesFields groupRules={state.groupRules} roleRules={state.roleRules} error={state.rulesError} />
      </Disclosure>
      <FormFooter
        form={form}
        submit={provider ? t("form.save") : t("add.submit")}
        submitting={provider ? t("form.saving") : t("add.submitting")}
      >
        <Button variant="quiet" onClick={onCancel}>
          {t("form.cancel")}
        </Button>
      </FormFooter>
    </form>
  );
}

type DisclosureProps = { title: string; isForced: boolean; children: ReactNode };

/** Fields that few owners change. They stay mounted, so that the form reads them. `isForced`: one has an error. */
function Disclosure({ title, isForced, children }: DisclosureProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const isShown = isOpen || isForced;
  return (
    <div>
      <Button
        variant="secondary"
        size="small"
        aria-expanded={isShown}
        aria-controls={id}
        onClick={() => setOpen(!isShown)}
      >
        {title}
        <ChevronDown aria-hidden="true" className={cx("size-4", isShown && "rotate-180")} />
      </Button>
      <div id={id} hidden={!isShown} className="mt-4">
        {children}
      </div>
    </div>
  );
}

function MoreFields({ state: { provider, form } }: { state: ProviderFormState }) {
  const { t } = useTranslation("identityProviders");
  const { scopes, groupsClaim } = provider?.client ?? defaultProviderSettings;
  return (
    <div className="flex flex-col gap-5">
      <Field
        label={t("form.scopes")}
        hint={t("form.scopesHint")}
        dir="ltr"
        defaultValue={scopes}
        {...plain}
        {...form.fieldProps("scopes")}
      />
      <Field
        label={t("form.groupsClaim")}
        hint={t("form.groupsClaimHint")}
        dir="ltr"
        defaultValue={groupsClaim}
        {...plain}
        {...form.fieldProps("groupsClaim")}
      />
      <CheckField
        label={t("form.isEmailAuthoritative")}
        hint={t("form.isEmailAuthoritativeHint")}
        name="isEmailAuthoritative"
        value="yes"
        defaultChecked={provider?.isEmailAuthoritative}
      />
      <CheckField
        label={t("form.needsSecondFactor")}
        hint={t("form.needsSecondFactorHint")}
        name="needsSecondFactor"
        value="yes"
        defaultChecked={provider?.needsSecondFactor}
      />
    </div>
  );
}
