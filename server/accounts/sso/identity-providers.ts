import * as z from "zod/mini";
import type { Config } from "../../config/config.ts";
import type { SecretCipher } from "../../config/secret-cipher.ts";
import type { Queryable } from "../../database/schema.ts";
import type { IdentityProviderRow } from "../../database/tables/sso-tables.ts";
import { type IdentityProvider, issuerKeyOf } from "./confirmed-identity.ts";
import { ruledRole, rulesOf } from "./environment-rules.ts";
import { headerProviderOf } from "./header-provider.ts";
import { listIdentityProviders } from "./identity-provider-store.ts";
import { ldapProviderOf } from "./ldap-provider.ts";
import { decryptProviderSecret } from "./provider-secrets.ts";

/** A provider with OpenID Connect. */
export type OidcProvider = IdentityProvider &
  Readonly<{
    kind: "oidc";
    /** URL of the issuer, where its metadata are. */
    issuerUrl: string;
    clientId: string;
    /** Absent: a public client. */
    clientSecret?: string;
    scopes: string;
    /** Path of the claim with the groups of a person, with dots. */
    groupsClaim: string;
  }>;

const OIDC_SLUG = "oidc";

/** Settings of a stored provider. */
export const storedProviderSettings = z.object({
  scopes: z.string(),
  groupsClaim: z.string(),
  groupRules: z.array(z.object({ value: z.string(), group: z.object({ id: z.string() }) })),
  roleRules: z.array(z.object({ value: z.string(), role: ruledRole })),
  isEmailAuthoritative: z.boolean(),
  needsSecondFactor: z.boolean(),
});

type IdentityProvidersDeps = {
  config: Pick<Config, "oidc" | "ldap" | "trustedHeader">;
  /** Client secret of the provider that the environment sets. */
  clientSecret: string | undefined;
  /** Password of the service account of the directory. */
  bindPassword: string | undefined;
  cipher: SecretCipher;
};

/** The identity providers of the installation: of the environment first, then of the database. */
export class IdentityProviders {
  readonly #cipher: SecretCipher;
  readonly #fixed: readonly IdentityProvider[];

  constructor({ config, clientSecret, bindPassword, cipher }: IdentityProvidersDeps) {
    this.#cipher = cipher;
    const { oidc, ldap, trustedHeader } = config;
    this.#fixed = [
      ...(oidc ? [oidcOfEnvironment(oidc, clientSecret)] : []),
      ...(ldap ? [ldapProviderOf(ldap, bindPassword)] : []),
      ...(trustedHeader ? [headerProviderOf(trustedHeader)] : []),
    ];
  }

  /** Those of the environment, which have no rows. */
  get fixed(): readonly IdentityProvider[] {
    return this.#fixed;
  }

  /** Lists the enabled providers. Of two with one issuer, that of the environment counts. */
  async list(db: Queryable): Promise<IdentityProvider[]> {
    const rows = await listIdentityProviders(db);
    const stored = rows.filter(({ is_enabled }) => is_enabled === 1).map((row) => this.#open(row));
    const issuers = new Set(this.#fixed.map(({ issuer }) => issuer));
    return [...this.#fixed, ...stored.filter(({ issuer }) => !issuers.has(issuer))];
  }

  async find(db: Queryable, slug: string): Promise<IdentityProvider | undefined> {
    const fixed = this.#fixed.find((provider) => provider.slug === slug);
    return fixed ?? (await this.list(db)).find((provider) => provider.slug === slug);
  }

  /** A provider whose secret does not open has none: its sign-ins fail as with a wrong one. */
  #open(row: IdentityProviderRow): OidcProvider {
    const { slug, name, issuer, client_id: clientId } = row;
    const settings = storedProviderSettings.parse(JSON.parse(row.settings));
    const secret = decryptProviderSecret(this.#cipher, row)?.secret ?? undefined;
    return {
      kind: "oidc",
      slug,
      name,
      issuer: issuerKeyOf(issuer),
      issuerUrl: issuer,
      clientId,
      ...settings,
      ...(secret !== undefined && { clientSecret: secret }),
    };
  }
}

function oidcOfEnvironment(settings: NonNullable<Config["oidc"]>, clientSecret: string | undefined): OidcProvider {
  const { groupRules, roleRules, issuer, ...others } = settings;
  return {
    kind: "oidc",
    slug: OIDC_SLUG,
    ...others,
    issuer: issuerKeyOf(issuer),
    issuerUrl: issuer,
    ...rulesOf({ groupRules, roleRules }),
    ...(clientSecret !== undefined && { clientSecret }),
  };
}
