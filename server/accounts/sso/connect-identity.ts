import type { ConnectedIdentity } from "#contract/accounts/single-sign-on.ts";
import { newId } from "../../database/new-id.ts";
import type { Queryable, UserRow } from "../../database/schema.ts";
import type { ExternalIdentityRow } from "../../database/tables/sso-tables.ts";
import { isUniqueViolation } from "../../database/violations.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { type Identity, isProofFresh } from "../../http/session-hook.ts";
import { findUser } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { deleteIdentities, findIdentity, insertIdentity, listIdentities } from "../external-identity-store.ts";
import { type Changer, changeAs } from "../trust/change-as.ts";
import { revokeTrust } from "../trust/revoke-trust.ts";
import { hasWayIn } from "../trust/ways-in.ts";
import type { ConfirmedIdentity } from "./confirmed-identity.ts";

/** Returns the identities of an account, the oldest first. */
export async function readIdentities(
  { database, identityProviders }: AccountContext,
  userId: string,
): Promise<ConnectedIdentity[]> {
  const providers = new Map((await identityProviders.list(database)).map((provider) => [provider.issuer, provider]));
  const rows = await listIdentities(database, userId);
  return rows.map(({ id, issuer, label, created_at: createdAt, last_used_at: lastUsedAt, restored_at }) => {
    const provider = providers.get(issuer);
    return {
      id,
      provider: provider?.name ?? issuer,
      ...(provider && { slug: provider.slug, kind: provider.kind }),
      label,
      createdAt,
      lastUsedAt,
      ...(restored_at !== null && { isRestored: true }),
    };
  });
}

/**
 * Connects an identity, of any address, to the signed-in account, for sign-in. Idempotent. An account that has no other
 * way in cannot prove anything: its session, which a mail began, suffices.
 * @throws Failure `identity-taken`, `identity-connected`, `proof-needed`
 */
export async function connectIdentity(
  accounts: AccountContext,
  identity: ConfirmedIdentity,
  { identity: session, client }: Changer,
): Promise<void> {
  const { database } = accounts;
  const owner = await findUser(database, session.userId);
  const needs = owner && !(await hasWayIn(accounts, database, owner)) ? "session" : "proof";
  const connect = changeAs(accounts, session, needs, async ({ db, user }) => {
    if (needs === "session" && (await hasWayIn(accounts, db, user))) throw new Failure("proof-needed");
    const other = await findIdentity(db, identity);
    if (other?.user_id === user.id) return;
    const holder = other && (await findUser(db, other.user_id));
    // A pending account, which a sign-in with an unverified address has made, has no claim.
    if (other && holder?.verified_at === null) await deleteIdentities(db, other.user_id, other.id);
    else if (other) throw new Failure("identity-taken");
    if (!(await addIdentity(accounts, db, { user, identity, client }))) throw new Failure("identity-connected");
  });
  await connect.catch((error: unknown) => {
    throw isUniqueViolation(error) ? new Failure("identity-taken") : error;
  });
}

/** Refuses a session that could not {@link connectIdentity}. @throws Failure `proof-needed` */
export async function needConnector(
  accounts: AccountContext,
  { userId, provedAt }: Pick<Identity, "userId" | "provedAt">,
): Promise<void> {
  if (isProofFresh(provedAt, accounts.clock.now())) return;
  const user = await findUser(accounts.database, userId);
  if (!user || (await hasWayIn(accounts, accounts.database, user))) throw new Failure("proof-needed");
}

type Connection = { user: UserRow; identity: ConfirmedIdentity; client: Client };

/** Connects an account, logs it and mails its owner; `false` if it has an identity of this issuer already. */
export async function addIdentity(
  { clock, mails, securityLog }: Pick<AccountContext, "clock" | "mails" | "securityLog">,
  db: Queryable,
  { user, identity, client }: Connection,
): Promise<boolean> {
  if ((await listIdentities(db, user.id)).some(({ issuer }) => issuer === identity.issuer)) return false;
  await insertIdentity(db, newIdentityRow(user.id, identity, clock.now()));
  await securityLog.record(db, "identity-connected", user.id, client);
  await mails.sendNotice(db, user, "identity-connected", client);
  return true;
}

/** Returns the row of an identity that has not signed in yet. */
export function newIdentityRow(
  userId: string,
  { issuer, subject, label }: ConfirmedIdentity,
  now: number,
): ExternalIdentityRow {
  return {
    id: newId(),
    issuer,
    subject,
    user_id: userId,
    label,
    created_at: now,
    last_used_at: null,
    restored_at: null,
  };
}

/**
 * Disconnects an identity and ends the sessions that were begun by single sign-on, except the requesting one.
 * @throws Failure `not-found`; `last-sign-in` if nothing else is left to sign in; `proof-needed`
 */
export async function disconnectIdentity(
  accounts: AccountContext,
  id: string,
  { identity, client }: Changer,
): Promise<void> {
  const { mails, securityLog } = accounts;
  await changeAs(accounts, identity, "proof", async (change) => {
    const { db, user } = change;
    if ((await deleteIdentities(db, user.id, id)).length === 0) throw new Failure("not-found");
    if (!(await hasWayIn(accounts, db, user))) throw new Failure("last-sign-in");
    const { sessionId } = identity;
    await revokeTrust(accounts, change, "identity-disconnected", { user, sessionId, client });
    await securityLog.record(db, "identity-disconnected", user.id, client);
    await mails.sendNotice(db, user, "identity-disconnected", client);
  });
}
