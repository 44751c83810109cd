import { accountPaths } from "#contract/accounts/paths.ts";
import {
  type AdministeredProvider,
  type AdministeredProviders,
  ANSWERED_RULES_MAX,
} from "#contract/administration/identity-providers.ts";
import { API_BASE } from "#contract/http.ts";
import type { AccountContext } from "../../accounts/accounts.ts";
import { countIdentitiesByIssuer } from "../../accounts/external-identity-store.ts";
import { type IdentityProvider, issuerKeyOf } from "../../accounts/sso/confirmed-identity.ts";
import { findIdentityProvider, listIdentityProviders } from "../../accounts/sso/identity-provider-store.ts";
import type { OidcProvider } from "../../accounts/sso/identity-providers.ts";
import { storedProviderSettings } from "../../accounts/sso/identity-providers.ts";
import { decryptProviderSecret } from "../../accounts/sso/provider-secrets.ts";
import { endOfSecret } from "../../config/secret-cipher.ts";
import type { IdentityProviderRow } from "../../database/tables/sso-tables.ts";
import { Failure } from "../../failure.ts";

type DescribeDeps = Pick<AccountContext, "cipher" | "config" | "database" | "identityProviders">;

/** Returns all providers, those of the environment first. */
export async function describeProviders(deps: DescribeDeps): Promise<AdministeredProviders> {
  const { database, identityProviders } = deps;
  const rows = await listIdentityProviders(database);
  const counts = await countIdentitiesByIssuer(database);
  return {
    publicUrl: deps.config.publicUrl,
    providers: [
      ...identityProviders.fixed.map((provider) => toFixed(deps, provider, counts)),
      ...rows.map((row) => toStored(deps, row, counts)),
    ],
  };
}

/** Returns a stored provider. @throws Failure `not-found` */
export async function describeProvider(deps: DescribeDeps, slug: string): Promise<AdministeredProvider> {
  const row = await findIdentityProvider(deps.database, slug);
  if (!row) throw new Failure("not-found");
  return toStored(deps, row, await countIdentitiesByIssuer(deps.database));
}

type Counts = ReadonlyMap<string, number>;

/** Returns the addresses of ours that are registered at a provider. */
const addressesOf = ({ config: { publicUrl } }: Pick<AccountContext, "config">, slug: string) => ({
  redirectAddress: `${publicUrl}/sso/${slug}`,
  logoutAddress: `${publicUrl}${API_BASE}${accountPaths.ssoLogout(slug)}`,
});

const isOidc = (provider: IdentityProvider): provider is OidcProvider => provider.kind === "oidc";

function toFixed(deps: DescribeDeps, provider: IdentityProvider, counts: Counts): AdministeredProvider {
  const { slug, name, kind, issuer, isEmailAuthoritative, needsSecondFactor, groupRules, roleRules } = provider;
  const shownIssuer = isOidc(provider) ? provider.issuerUrl : issuer;
  return {
    ...{ slug, name, kind, issuer: shownIssuer, isEmailAuthoritative, needsSecondFactor },
    isFixed: true,
    isEnabled: true,
    identities: counts.get(issuer) ?? 0,
    ...(isOidc(provider) && {
      client: {
        id: provider.clientId,
        secretEnd: provider.clientSecret === undefined ? null : endOfSecret(provider.clientSecret),
        isUnreadable: false,
        scopes: provider.scopes,
        groupsClaim: provider.groupsClaim,
        ...addressesOf(deps, slug),
      },
    }),
    groupRules: groupRules
      .slice(0, ANSWERED_RULES_MAX)
      .map(({ value, group }) => ("id" in group ? { value, groupId: group.id } : { value, group: group.name })),
    roleRules: roleRules.slice(0, ANSWERED_RULES_MAX),
  };
}

function toStored(deps: DescribeDeps, row: IdentityProviderRow, counts: Counts): AdministeredProvider {
  const { slug, name, issuer } = row;
  const { scopes, groupsClaim, groupRules, roleRules, ...switches } = storedProviderSettings.parse(
    JSON.parse(row.settings),
  );
  const opened = decryptProviderSecret(deps.cipher, row);
  const end = opened ? opened.secret && endOfSecret(opened.secret) : "";
  return {
    ...{ slug, name, kind: "oidc", issuer, ...switches },
    isFixed: false,
    isEnabled: row.is_enabled === 1,
    identities: counts.get(issuerKeyOf(issuer)) ?? 0,
    client: {
      id: row.client_id,
      secretEnd: row.secret_encrypted === null ? null : end,
      isUnreadable: opened === undefined,
      scopes,
      groupsClaim,
      ...addressesOf(deps, slug),
    },
    groupRules: groupRules.map(({ value, group }) => ({ value, groupId: group.id })),
    roleRules,
  };
}
