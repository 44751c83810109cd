import { IDENTITY_PROVIDERS_MAX } from "#contract/accounts/identity-providers.ts";
import {
  chooseProviderSlug,
  defaultProviderSettings,
  type IdentityProviderChange,
  type NewIdentityProvider,
} from "#contract/administration/identity-providers.ts";
import type { AccountContext } from "../../accounts/accounts.ts";
import { listIdentities } from "../../accounts/external-identity-store.ts";
import { findGroup } from "../../accounts/membership/group-store.ts";
import { issuerKeyOf } from "../../accounts/sso/confirmed-identity.ts";
import {
  findIdentityProvider,
  insertIdentityProvider,
  listIdentityProviders,
  updateIdentityProvider,
} from "../../accounts/sso/identity-provider-store.ts";
import { storedProviderSettings } from "../../accounts/sso/identity-providers.ts";
import { decryptProviderSecret, encryptProviderSecret } from "../../accounts/sso/provider-secrets.ts";
import { type Changer, changeAsRole, type OwnChange } from "../../accounts/trust/change-as.ts";
import { hasWayIn } from "../../accounts/trust/ways-in.ts";
import { holdAdministration, recordAudit } from "../../audit/record-audit.ts";
import { newId } from "../../database/new-id.ts";
import { nextPosition } from "../../database/positions.ts";
import type { Queryable } from "../../database/schema.ts";
import type { IdentityProviderRow } from "../../database/tables/sso-tables.ts";
import { Failure } from "../../failure.ts";
import { canonicalIssuer, comparedIssuerOf } from "./canonical-issuer.ts";

export type OwnerSession = Changer["identity"];
type Work<T> = (change: OwnChange, by: { at: number; actor: string }) => Promise<T>;

/** Runs a change of providers as an owner. Nothing is cached, so that it takes effect on every process with the commit. */
export function changeAsOwner<T>(
  accounts: AccountContext,
  session: OwnerSession & { others?: readonly string[] },
  work: Work<T>,
): Promise<T> {
  return changeAsRole(accounts, session, "owner", async (change, by) => {
    await holdAdministration(change.db);
    return work(change, by);
  });
}

/**
 * Adds a provider. @returns its slug
 * @throws Failure `invalid-input` for an issuer that is none or is taken, for a group that does not exist, or beyond
 * {@link IDENTITY_PROVIDERS_MAX}; those of {@link changeAsRole}
 */
export async function addProvider(
  accounts: AccountContext,
  request: NewIdentityProvider,
  session: OwnerSession,
): Promise<string> {
  const { name, clientId, clientSecret = null, isEnabled = true } = request;
  const { fixed } = accounts.identityProviders;
  const issuer = issuerOf(request.issuer);
  const id = newId();
  return changeAsOwner(accounts, session, async ({ db }, { at, actor }) => {
    const others = await listIdentityProviders(db);
    if (others.length + fixed.length >= IDENTITY_PROVIDERS_MAX) throw new Failure("invalid-input");
    const taken = new Set([...fixed, ...others].map((other) => comparedIssuerOf(other.issuer)));
    if (taken.has(comparedIssuerOf(issuer))) throw refusedIssuer("taken");
    await refuseUnknownGroups(db, request);
    const row: IdentityProviderRow = {
      id,
      slug: chooseProviderSlug(
        name,
        [...fixed, ...others].map((other) => other.slug),
      ),
      name,
      issuer,
      client_id: clientId,
      secret_encrypted: encryptProviderSecret(accounts.cipher, id, clientSecret),
      settings: settingsOf(defaultProviderSettings, request),
      position: nextPosition(others),
      is_enabled: isEnabled ? 1 : 0,
      created_at: at,
      updated_at: at,
    };
    await insertIdentityProvider(db, row);
    const after = recordedOf(row);
    await recordAudit(db, { kind: "identity-provider-added", at, actor, subject: null, after });
    return row.slug;
  });
}

/**
 * Changes a provider. Absent fields stay as they are.
 * @throws Failure `not-found`; `invalid-input` for another issuer, or a group that does not exist; `last-sign-in` if the
 * owner could not sign in any more; those of {@link changeAsRole}
 */
export async function changeProvider(
  accounts: AccountContext,
  slug: string,
  request: IdentityProviderChange,
  session: OwnerSession,
): Promise<void> {
  const { cipher } = accounts;
  const { name, clientId, clientSecret, isEnabled } = request;
  await changeAsOwner(accounts, session, async ({ db, user }, { at, actor }) => {
    const before = await findIdentityProvider(db, slug);
    if (!before) throw new Failure("not-found");
    if (request.issuer !== undefined && canonicalIssuer(request.issuer) !== before.issuer) {
      throw refusedIssuer("invalid");
    }
    await refuseUnknownGroups(db, request);
    const change = {
      name: name ?? before.name,
      client_id: clientId ?? before.client_id,
      secret_encrypted:
        clientSecret === undefined ? before.secret_encrypted : encryptProviderSecret(cipher, before.id, clientSecret),
      settings: settingsOf(storedProviderSettings.parse(JSON.parse(before.settings)), request),
      is_enabled: isEnabled === undefined ? before.is_enabled : isEnabled ? 1 : 0,
      updated_at: at,
    };
    await updateIdentityProvider(db, before.id, change);
    if (isEnabled === false) await refuseLockOut(accounts, { db, user }, before.issuer);
    await recordAudit(db, {
      kind: "identity-provider-changed",
      at,
      actor,
      subject: null,
      before: recordedOf(before),
      after: { ...recordedOf({ ...before, ...change }), hasNewSecret: isNewSecret(accounts, before, clientSecret) },
    });
  });
}

/** Orders the stored providers. Those that are not named follow in their order. @throws Failure as of {@link changeAsRole} */
export async function orderProviders(
  accounts: AccountContext,
  slugs: readonly string[],
  session: OwnerSession,
): Promise<void> {
  await changeAsOwner(accounts, session, async ({ db }, { at, actor }) => {
    const rows = await listIdentityProviders(db);
    const before = rows.map(({ slug }) => slug);
    const order = [...new Set([...slugs, ...before])].filter((slug) => before.includes(slug));
    for (const row of rows) {
      const position = order.indexOf(row.slug);
      if (position !== row.position) await updateIdentityProvider(db, row.id, { position });
    }
    const recorded = { before: { order: before }, after: { order } };
    await recordAudit(db, { kind: "identity-provider-changed", at, actor, subject: null, ...recorded });
  });
}

/**
 * Refuses a change after which the acting owner has no way to sign in: not by a password, Google or a passkey, nor by a
 * provider that is left.
 * @throws Failure `last-sign-in`
 */
export async function refuseLockOut(
  accounts: AccountContext,
  { db, user }: Pick<OwnChange, "db" | "user">,
  issuer: string,
): Promise<void> {
  const identities = await listIdentities(db, user.id);
  if (!identities.some((identity) => identity.issuer === issuerKeyOf(issuer))) return;
  if (!(await hasWayIn(accounts, db, user))) throw new Failure("last-sign-in");
}

/** Returns the values that a record has: no secret, and of the rules only what they give, as a value may be an address. */
export function recordedOf(row: IdentityProviderRow) {
  const { scopes, groupsClaim, groupRules, roleRules, ...switches } = storedProviderSettings.parse(
    JSON.parse(row.settings),
  );
  return {
    provider: row.slug,
    name: row.name,
    issuer: row.issuer,
    clientId: row.client_id,
    isEnabled: row.is_enabled === 1,
    hasSecret: row.secret_encrypted !== null,
    scopes,
    groupsClaim,
    groupRules: groupRules.map(({ group }) => group.id),
    roleRules: roleRules.map(({ role }) => role),
    ...switches,
  };
}

type StoredSettings = ReturnType<typeof storedProviderSettings.parse>;

/** Returns the stored form of settings, of which those of a request replace the present ones. */
function settingsOf(present: StoredSettings, request: IdentityProviderChange): string {
  const { groupRules } = request;
  const settings: StoredSettings = {
    scopes: request.scopes ?? present.scopes,
    groupsClaim: request.groupsClaim ?? present.groupsClaim,
    groupRules: groupRules?.map(({ value, groupId: id }) => ({ value, group: { id } })) ?? present.groupRules,
    roleRules: request.roleRules ?? present.roleRules,
    isEmailAuthoritative: request.isEmailAuthoritative ?? present.isEmailAuthoritative,
    needsSecondFactor: request.needsSecondFactor ?? present.needsSecondFactor,
  };
  return JSON.stringify(settings);
}

function isNewSecret(
  { cipher }: Pick<AccountContext, "cipher">,
  before: IdentityProviderRow,
  secret: string | null | undefined,
): boolean {
  return secret !== undefined && decryptProviderSecret(cipher, before)?.secret !== secret;
}

async function refuseUnknownGroups(
  db: Queryable,
  { groupRules = [] }: Pick<IdentityProviderChange, "groupRules">,
): Promise<void> {
  for (const id of new Set(groupRules.map(({ groupId }) => groupId))) {
    if (!(await findGroup(db, id))) {
      throw new Failure("invalid-input", { issues: [{ field: "groupRules", rule: "invalid" }] });
    }
  }
}

function issuerOf(entered: string): string {
  const issuer = canonicalIssuer(entered);
  if (issuer === undefined) throw refusedIssuer("invalid");
  return issuer;
}

const refusedIssuer = (rule: "invalid" | "taken") =>
  new Failure("invalid-input", { issues: [{ field: "issuer", rule }] });
