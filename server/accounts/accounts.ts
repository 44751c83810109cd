import { DAY } from "#contract/limits.ts";
import type { Bus } from "../bus/bus.ts";
import type { Clock } from "../concurrency/clock.ts";
import type { Config } from "../config/config.ts";
import type { SecretCipher } from "../config/secret-cipher.ts";
import { deriveKey } from "../config/secret-key.ts";
import type { Secrets } from "../config/secrets.ts";
import type { Database } from "../database/schema.ts";
import type { InstallationSettings } from "../installation/installation-settings.ts";
import { removeLapsedLimits } from "../limits/limit-store.ts";
import type { Limits } from "../limits/limits.ts";
import { ProofOfWork } from "../limits/proof-of-work.ts";
import type { Log } from "../log.ts";
import { MailFiles } from "../mail/mail-files.ts";
import type { Outbox } from "../mail/outbox.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { composeAccountMails } from "./account-letters.ts";
import { AccountMails } from "./account-mails.ts";
import { removeLapsedAccounts } from "./account-store.ts";
import { BreachLookup } from "./breach-lookup.ts";
import { GoogleNonces } from "./google/google-nonces.ts";
import { GoogleTokens } from "./google/google-tokens.ts";
import { removeEndedInvitations } from "./invitations/invitation-store.ts";
import { removeLapsedEmailKeys } from "./mailed-keys/email-key-store.ts";
import { OidcAttempts } from "./oidc/oidc-attempts.ts";
import { OidcClient } from "./oidc/oidc-client.ts";
import { Passwords } from "./passwords.ts";
import { ownerKeyOf } from "./roles/ownership-keys.ts";
import { removeExpiredOffers } from "./roles/ownership-offer-store.ts";
import { removeExpiredRemembered } from "./second-factor/remembered-browser-store.ts";
import { removeLapsedDevices } from "./sessions/device-store.ts";
import { removeLapsedNonces } from "./sessions/nonce-store.ts";
import { SecurityLog } from "./sessions/security-log.ts";
import { removeOldSecurityEvents } from "./sessions/security-log-store.ts";
import { removeLapsedSessions } from "./sessions/session-store.ts";
import { Sessions } from "./sessions/sessions.ts";
import { removeUnknownGuesses } from "./sessions/throttle-store.ts";
import { Throttles } from "./sessions/throttles.ts";
import { removeExpiredTickets } from "./sessions/ticket-store.ts";
import { Deletions } from "./settings/deletion.ts";
import { IdentityProviders } from "./sso/identity-providers.ts";

/** What only accounts have. */
export type Accounts = Readonly<{
  mails: AccountMails;
  passwords: Passwords;
  /** Absent unless the operator has chosen a service of breached passwords. */
  breachLookup?: BreachLookup;
  sessions: Sessions;
  throttles: Throttles;
  proofOfWork: ProofOfWork;
  securityLog: SecurityLog;
  deletions: Deletions;
  /** Key of the link that makes an account the first owner. */
  ownerKey: string;
  /** From which the keys of invitations are derived. */
  invitationSecret: Uint8Array;
  /** Key of the HMAC of class codes. */
  classCodeSecret: Uint8Array;
  /** From which the keys of offers of ownership are derived. */
  ownershipSecret: Uint8Array;
  identityProviders: IdentityProviders;
  oidc: { client: OidcClient; attempts: OidcAttempts };
  google?: { clientId: string; tokens: GoogleTokens; nonces: GoogleNonces };
}>;

/** Dependencies that accounts share with other folders. */
export type AccountsDeps = Readonly<{
  config: Config;
  database: Database;
  installation: InstallationSettings;
  clock: Clock;
  outbox: Outbox;
  bus: Bus;
  limits: Limits;
  outbound: Outbound;
  cipher: SecretCipher;
  log: Log;
}>;

/** Dependencies of the functions of accounts. */
export type AccountContext = AccountsDeps & Accounts;

/** Opens what only accounts have. */
export function openAccounts({
  config,
  secretKey,
  database,
  clock,
  outbox,
  limits,
  outbound,
  log,
  cipher,
  secrets,
}: Omit<AccountsDeps, "installation" | "bus"> & {
  secretKey: string;
  secrets: Pick<Secrets, "oidcClientSecret" | "ldapBindPassword">;
}): Accounts {
  const mails = new AccountMails({ outbox, clock, keySecret: verificationSecretOf(secretKey), limits });
  const sessions = new Sessions({
    database,
    clock,
    key: deriveKey(secretKey, "access-token"),
    lives: config.sessionLives,
  });
  const securityLog = new SecurityLog({ clock, log });
  const mailFiles = new MailFiles(config.dataDir);
  return {
    mails,
    passwords: new Passwords(),
    ...(config.breachLookupUrl !== undefined && {
      breachLookup: new BreachLookup({ url: config.breachLookupUrl, outbound, log }),
    }),
    sessions,
    throttles: new Throttles({ database, clock, key: deriveKey(secretKey, "throttles") }),
    proofOfWork: new ProofOfWork({ clock, key: deriveKey(secretKey, "proof-of-work") }),
    securityLog,
    deletions: new Deletions({ config, database, clock, log, mails, mailFiles, outbox, securityLog, sessions }),
    ownerKey: ownerKeyOf(secretKey),
    invitationSecret: invitationSecretOf(secretKey),
    classCodeSecret: deriveKey(secretKey, "class-code"),
    ownershipSecret: ownershipSecretOf(secretKey),
    identityProviders: new IdentityProviders({
      config,
      clientSecret: secrets.oidcClientSecret,
      bindPassword: secrets.ldapBindPassword,
      cipher,
    }),
    oidc: {
      client: new OidcClient({ outbound, clock, log }),
      attempts: new OidcAttempts(deriveKey(secretKey, "oidc-attempt")),
    },
    ...(config.google && {
      google: {
        clientId: config.google.clientId,
        tokens: new GoogleTokens(config.google, outbound),
        nonces: new GoogleNonces(deriveKey(secretKey, "google-nonce")),
      },
    }),
  };
}

/** Returns the composer of account mails, for the outbox. */
export function openAccountLetters(
  { publicUrl, isReachable }: Pick<Config, "publicUrl" | "isReachable">,
  { secretKey, installation }: { secretKey: string; installation: Pick<InstallationSettings, "current"> },
) {
  const keySecret = verificationSecretOf(secretKey);
  const [invitationSecret, ownershipSecret] = [invitationSecretOf(secretKey), ownershipSecretOf(secretKey)];
  return composeAccountMails(() => {
    const { productName } = installation.current;
    return { keySecret, invitationSecret, ownershipSecret, productName, publicUrl, isReachable };
  });
}

function verificationSecretOf(secretKey: string): Uint8Array {
  return deriveKey(secretKey, "email-key");
}

function invitationSecretOf(secretKey: string): Uint8Array {
  return deriveKey(secretKey, "invitation");
}

function ownershipSecretOf(secretKey: string): Uint8Array {
  return deriveKey(secretKey, "ownership-offer");
}

/** How long invitations stay in the list after their end. */
const ENDED_INVITATION_LIFE_MS = 90 * DAY;

/** Removes expired pending accounts, keys, invitations, offers of ownership, sessions, nonces, devices, log entries and counters. */
export async function removeLapsedFromAccounts(
  { database, config }: { database: Database; config: Pick<Config, "sessionLives"> },
  now: number,
): Promise<void> {
  await removeLapsedAccounts(database, now);
  await removeLapsedSessions(database, config.sessionLives, now);
  await removeExpiredTickets(database, now);
  await removeExpiredRemembered(database, now);
  await removeLapsedEmailKeys(database, now);
  await removeEndedInvitations(database, now - ENDED_INVITATION_LIFE_MS);
  await removeExpiredOffers(database, now);
  await removeLapsedNonces(database, now);
  await removeLapsedDevices(database, now);
  await removeOldSecurityEvents(database, now);
  await removeUnknownGuesses(database);
  await removeLapsedLimits(database, now);
}
