import type { DirectoryCredentials, DirectorySignIn } from "#contract/accounts/single-sign-on.ts";
import { DAY } from "#contract/limits.ts";
import type { Queryable, UserRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { usernameKeyOf } from "../account-keys.ts";
import { findUser } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { findIdentityByLabel } from "../external-identity-store.ts";
import type { FinishedSignIn } from "../second-factor/finish-sign-in.ts";
import { guardGuess } from "../sessions/guard-guess.ts";
import type { ConfirmedIdentity } from "../sso/confirmed-identity.ts";
import type { LdapProvider } from "../sso/ldap-provider.ts";
import { signInByIdentity } from "../sso/sign-in-by-identity.ts";
import { authenticate, type BindCredentials } from "./authenticate.ts";
import { readDirectoryPerson } from "./read-person.ts";

/**
 * Signs in by the name and password of a directory, which counts as a proof.
 * @throws Failure `wrong-credentials`, those of {@link confirmByDirectory} and of {@link signInByIdentity}
 */
export async function signInByDirectory(
  accounts: AccountContext,
  { invitation, ...credentials }: DirectorySignIn,
  client: Client,
): Promise<FinishedSignIn> {
  const confirmed = await confirmByDirectory(accounts, credentials, client);
  if (confirmed === null) throw new Failure("wrong-credentials");
  return signInByIdentity(accounts, { ...confirmed, client, invitation });
}

/**
 * Confirms a person by the name and password of a directory. Guesses are guarded as passwords are, with counters of their
 * own.
 * @returns null if they are wrong
 * @throws Failure `sso-unavailable`, `not-found`, `too-many-requests`, `work-needed`
 */
export async function confirmByDirectory(
  accounts: AccountContext,
  { provider: slug, username, password, work }: DirectoryCredentials,
  client: Client,
): Promise<{ provider: LdapProvider; identity: ConfirmedIdentity } | null> {
  const { clock, database, limits } = accounts;
  const provider = await limits.countWrong({ name: "sso", client, codes: ["not-found"] }, () =>
    requireDirectory(accounts, database, slug),
  );
  const name = username.trim();
  const user = await findOwner(database, provider, usernameKeyOf(name));
  // Only the directory can lift a lock-out of its names: here a counter ends with its day.
  const counted = `${provider.issuer}\n${Math.floor(clock.now() / DAY)}\n${foldName(name)}`;
  const guess = { user, name: counted, purpose: "directory", client, work } as const;
  const identity = await guardGuess(accounts, guess, async ({ admit }) => {
    await admit();
    return isUsable(name, password) ? confirm(accounts, provider, { username: name, password }) : null;
  });
  return identity && { provider, identity: { ...identity, provedAt: clock.now() } };
}

/**
 * Folds what directories compare as equal (RFC 4518; Active Directory ignores accents too), so that the spellings of one
 * name have one counter: case, compatibility forms, accents, invisible characters and repeated spaces.
 */
function foldName(name: string): string {
  const letters = name.normalize("NFKD").replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "");
  return letters.toUpperCase().toLowerCase().replace(/\s+/g, " ").trim();
}

async function requireDirectory(
  { identityProviders }: Pick<AccountContext, "identityProviders">,
  db: Queryable,
  slug: string,
): Promise<LdapProvider> {
  const provider = await identityProviders.find(db, slug);
  if (provider?.kind !== "ldap") throw new Failure("not-found");
  return provider as LdapProvider;
}

/** Returns the account that last signed in by this name, whose known browsers have counters of their own. */
async function findOwner(db: Queryable, { issuer }: LdapProvider, name: string): Promise<UserRow | undefined> {
  const identity = await findIdentityByLabel(db, issuer, name);
  return identity && findUser(db, identity.user_id);
}

/**
 * Returns whether a directory may see these. It would accept an empty password as an anonymous bind, and some read a
 * text up to its first null character only.
 */
function isUsable(name: string, password: string): boolean {
  return name !== "" && password !== "" && !/\p{Cc}/u.test(name) && !password.includes("\0");
}

/** Returns who has this name and password; null if they are wrong. @throws Failure `sso-unavailable` */
async function confirm(
  { log }: AccountContext,
  provider: LdapProvider,
  credentials: BindCredentials,
): Promise<ConfirmedIdentity | null> {
  const { slug, settings } = provider;
  const person = await authenticate(provider, credentials).catch((error: unknown) => {
    log.warn({ provider: slug, err: error }, "the directory cannot be used");
    throw new Failure("sso-unavailable", { cause: error });
  });
  if (person === null) return null;
  if (person === "several") {
    log.warn({ provider: slug }, "a name has several entries in the directory: its sign-in is refused");
    return null;
  }
  const identity = readDirectoryPerson(provider, person, usernameKeyOf(credentials.username));
  if (identity) return identity;
  log.warn({ provider: slug, attribute: settings.idAttribute }, "an entry of the directory has not exactly one id");
  throw new Failure("sso-unavailable");
}
