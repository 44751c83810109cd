import { useState } from "react";
import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import {
  type AdministeredProvider,
  changeIdentityProviderSchema,
  defaultProviderSettings,
  type IdentityProviderChange,
  type NewIdentityProvider,
  newIdentityProviderSchema,
  ruledRoles,
} from "#contract/administration/identity-providers.ts";
import { rule } from "#contract/text/validation.ts";
import { changedFields, isUnchanged } from "../../forms/changed-fields.ts";
import { failureText } from "../../forms/failure-text.ts";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { withProof } from "../../proof/proof.ts";
import { identityProvidersApi } from "./identity-providers-api.ts";
import { useMetadataCheck } from "./use-metadata-check.ts";
import { useRules } from "./use-rules.ts";

/** `keep`: the stored secret stays. */
export type ClientSecretChange = "keep" | "replace" | "remove";

const { name, clientId, issuer } = newIdentityProviderSchema.shape;
const { scopes, groupsClaim } = changeIdentityProviderSchema.shape;
const trimmed = () => z.string().check(z.overwrite((entered: string) => entered.trim()));
const isAddress = (entered: string) => /^https?:\/\//i.test(entered);

const schemaOf = (isNew: boolean, secret: ClientSecretChange) =>
  z.object({
    name,
    issuer: issuer.check(z.refine(isAddress, { error: rule("invalid") })),
    clientId,
    clientSecret:
      secret === "replace" && !isNew
        ? trimmed().check(z.minLength(1, { error: rule("required") }))
        : z.optional(trimmed()),
    scopes,
    groupsClaim,
    isEmailAuthoritative: z.optional(z.literal("yes")),
    needsSecondFactor: z.optional(z.literal("yes")),
    // Shows the server's refusal of rules.
    groupRules: z.optional(z.string()),
  });
type Entered = z.infer<ReturnType<typeof schemaOf>>;

const ruledRoleOf = (word: string) => ruledRoles.find((role) => role === word) ?? "person";

type ProviderFormDeps = {
  /** Null: a new one. */
  provider: AdministeredProvider | null;
  onSaved: (provider: AdministeredProvider) => void;
};

/** Form of a provider. Of a stored one it sends the differences only: the values are those of when it was opened. */
export function useProviderForm({ provider: current, onSaved }: ProviderFormDeps) {
  const { t } = useTranslation("identityProviders");
  const [provider] = useState(current);
  const [secret, setSecret] = useState<ClientSecretChange>(initialSecret(provider));
  const [rulesError, setRulesError] = useState<string | null>(null);
  const groupRules = useRules(
    (provider?.groupRules ?? []).map(({ value, groupId = "" }) => ({ value, target: groupId })),
  );
  const roleRules = useRules((provider?.roleRules ?? []).map(({ value, role }) => ({ value, target: role })));
  const form = useCheckedForm({
    schema: schemaOf(provider === null, secret),
    labels: {
      name: t("fields.name"),
      issuer: t("fields.issuer"),
      clientId: t("fields.clientId"),
      clientSecret: t("fields.clientSecret"),
      scopes: t("fields.scopes"),
      groupsClaim: t("fields.groupsClaim"),
      groupRules: t("fields.groupRules"),
    },
    textOf: failureText,
    send: async (entered) => {
      const [groups, roles] = [groupRules.entered, roleRules.entered];
      setRulesError(groups && roles ? null : t("rules.incomplete"));
      if (!groups || !roles) return null;
      const rules = {
        groupRules: groups.map(({ value, target }) => ({ value, groupId: target })),
        roleRules: roles.map(({ value, target }) => ({ value, role: ruledRoleOf(target) })),
      };
      onSaved(await save(provider, { ...toProvider(entered), ...rules }, secretOf(entered, secret)));
      return null;
    },
  });
  return {
    provider,
    form,
    secret: { state: secret, change: setSecret },
    groupRules,
    roleRules,
    rulesError: rulesError ?? form.fieldProps("groupRules").error ?? null,
    check: useMetadataCheck(),
  };
}

export type ProviderFormState = ReturnType<typeof useProviderForm>;

function initialSecret(provider: AdministeredProvider | null): ClientSecretChange {
  return provider === null || provider.client?.isUnreadable ? "replace" : "keep";
}

function secretOf({ clientSecret }: Entered, secret: ClientSecretChange): { clientSecret?: string | null } {
  if (secret === "keep") return {};
  return { clientSecret: (secret === "replace" && clientSecret) || null };
}

type Values = {
  [Field in Exclude<keyof NewIdentityProvider, "clientSecret" | "isEnabled">]-?: NonNullable<
    NewIdentityProvider[Field]
  >;
};

function toProvider(entered: Entered): Omit<Values, "groupRules" | "roleRules"> {
  return {
    name: entered.name,
    issuer: entered.issuer,
    clientId: entered.clientId,
    scopes: entered.scopes ?? defaultProviderSettings.scopes,
    groupsClaim: entered.groupsClaim ?? defaultProviderSettings.groupsClaim,
    isEmailAuthoritative: entered.isEmailAuthoritative === "yes",
    needsSecondFactor: entered.needsSecondFactor === "yes",
  };
}

async function save(
  provider: AdministeredProvider | null,
  values: Values,
  secret: { clientSecret?: string | null },
): Promise<AdministeredProvider> {
  if (provider === null) return withProof(() => identityProvidersApi.add({ ...values, ...secret }));
  const { client, isEmailAuthoritative, needsSecondFactor } = provider;
  const change = changedFields<IdentityProviderChange>(
    {
      name: provider.name,
      issuer: provider.issuer,
      ...{ isEmailAuthoritative, needsSecondFactor },
      ...(client && { clientId: client.id, scopes: client.scopes, groupsClaim: client.groupsClaim }),
      groupRules: provider.groupRules.map(({ value, groupId = "" }) => ({ value, groupId })),
      roleRules: provider.roleRules.map(({ value, role }) => ({ value, role: ruledRoleOf(role) })),
    },
    { ...values, ...secret },
  );
  return isUnchanged(change) ? provider : withProof(() => identityProvidersApi.change(provider.slug, change));
}
