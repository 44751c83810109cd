import type { IdentityProviderKind } from "#contract/accounts/identity-providers.ts";
import type { AccountRole } from "#contract/accounts/roles.ts";
import type { StatedNames } from "../registration/person-names.ts";

/** Returns an issuer as identities have it: a slash at its end, which a configuration may omit, makes no other issuer. */
export function issuerKeyOf(issuer: string): string {
  return issuer.replace(/\/$/, "");
}

/** Matches a person by a group that the provider states; `*` is everybody. */
type Matching = { value: string };
/** A group by its id, or by the name that the environment has for it. */
export type GroupRule = Matching & { group: { id: string } | { name: string } };
export type RoleRule = Matching & { role: Exclude<AccountRole, "owner"> };

/** An identity provider, with the rules for people who sign in by it. */
export type IdentityProvider = Readonly<{
  slug: string;
  name: string;
  kind: IdentityProviderKind;
  /** Issuer of its identities, by {@link issuerKeyOf}: that of OpenID Connect, or a name of the configuration. */
  issuer: string;
  /** In their order: the first that matches decides. */
  groupRules: readonly GroupRule[];
  roleRules: readonly RoleRule[];
  /** Whether a verified address proves who owns the account with it. */
  isEmailAuthoritative: boolean;
  /** Whether people who sign in by it show their second factor too. */
  needsSecondFactor: boolean;
}>;

/** A person as a provider has just confirmed them. */
export type ConfirmedIdentity = StatedNames & {
  issuer: string;
  /** Never given to another person by this issuer. */
  subject: string;
  /** What the provider calls the person, for people to read. */
  label: string;
  email?: string;
  isEmailVerified: boolean;
  /** Undefined: the provider does not say, which is not the same as none. */
  groups?: readonly string[];
  /** When the person last authenticated at the provider (Unix time in ms), which counts as a proof here. */
  provedAt?: number;
  /** Session and token of the provider, by which either side ends the session of the other. */
  session?: { sid?: string; idToken?: string };
};
