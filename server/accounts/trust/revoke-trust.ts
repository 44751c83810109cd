import type { Config } from "../../config/config.ts";
import type { Queryable, UserRow } from "../../database/schema.ts";
import type { Client } from "../../http/client.ts";
import { changeAccount } from "../account-changes-store.ts";
import { deleteIdentities } from "../external-identity-store.ts";
import { endEmailKeys, findDeviceOfKey } from "../mailed-keys/email-key-store.ts";
import type { KeyPurpose } from "../mailed-keys/mailed-keys.ts";
import { forgetDevices } from "../sessions/device-store.ts";
import type { SecurityLog } from "../sessions/security-log.ts";
import type { SessionChoice } from "../sessions/session-store.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { clearThrottle } from "../sessions/throttle-store.ts";
import { deleteTickets } from "../sessions/ticket-store.ts";
import { deletePasskeys } from "../webauthn/passkey-store.ts";
import type { Change } from "./change-as.ts";

/** Event after which some credentials, keys or sessions of an account become invalid. */
export type TrustEvent =
  | "signed-out"
  | "session-ended"
  | "other-sessions-ended"
  | "google-disconnected"
  | "passkey-removed"
  | "identity-disconnected"
  | "signed-out-by-provider"
  | "password-changed"
  | "password-reset"
  | "email-changed"
  | "email-changed-elsewhere"
  | "email-change-undone"
  | "deletion-asked"
  | "all-sessions-ended"
  | "disabled";

type Losses = {
  /** `one`: the named session; `others`: all but the acting one; `google`, `passkey`, `sso`: those of `others` begun by it. */
  sessions?: "one" | "others" | "google" | "passkey" | "sso" | "all";
  /** Known browsers. `theirs`: those in which only the ended sessions were signed in. */
  devices?: "theirs" | "others" | "all";
  keys?: readonly KeyPurpose[];
  /** A change of address that another browser than the acting one requested, whose session is not recorded. */
  theirAddress?: true;
  /** Google and identities of providers. `beside-password`: unless they are the only way to sign in. */
  linked?: "always" | "beside-password";
  /** Google alone. */
  google?: true;
  passkeys?: true;
  password?: "doubted" | "forgotten";
  /** Counted failures, and the scheduled deletion of the account. */
  guesses?: true;
  deletion?: true;
};

/** Keys that sign in without the password. */
const WAYS_IN = ["reset-password", "verify-email", "confirm-password", "sign-in"] as const;
/** No event invalidates keys that undo a change of address: an attacker must not invalidate the owner's. */
const KEYS = [...WAYS_IN, "change-email", "lose-factor"] as const;

/** The only table of the items that each event invalidates. */
const losses: Readonly<Record<TrustEvent, Losses>> = {
  "signed-out": { sessions: "one" },
  "session-ended": { sessions: "one", devices: "theirs", theirAddress: true },
  "other-sessions-ended": { sessions: "others", devices: "others", keys: ["change-email"] },
  "google-disconnected": { sessions: "google", devices: "theirs", theirAddress: true, google: true },
  "passkey-removed": { sessions: "passkey", devices: "theirs", theirAddress: true },
  "identity-disconnected": { sessions: "sso", devices: "theirs", theirAddress: true },
  "signed-out-by-provider": { sessions: "one" },
  "password-changed": { sessions: "others", devices: "others", keys: KEYS },
  "password-reset": {
    sessions: "all",
    devices: "all",
    keys: KEYS,
    linked: "beside-password",
    passkeys: true,
    guesses: true,
  },
  // The requester confirmed it: keys mailed to the old address must not sign in any more.
  "email-changed": { keys: WAYS_IN },
  // Confirmed by a reader of the new mailbox, who may not be the account's owner.
  "email-changed-elsewhere": {
    sessions: "all",
    devices: "all",
    keys: KEYS,
    linked: "always",
    passkeys: true,
    password: "doubted",
  },
  // The attacker who changed the address may know the password, have connected Google or added a passkey, and have
  // requested deletion.
  "email-change-undone": {
    sessions: "all",
    devices: "all",
    keys: KEYS,
    linked: "always",
    passkeys: true,
    password: "forgotten",
    deletion: true,
  },
  "deletion-asked": { sessions: "all", keys: ["change-email"] },
  // The last two events are actions of the administrator.
  "all-sessions-ended": { sessions: "all", devices: "theirs", keys: ["change-email"] },
  disabled: { sessions: "all", keys: ["change-email"] },
};

/** The affected account, locked; `sessionId`: the session that ends, or the acting one that stays. */
export type TrustSubject = { user: UserRow; sessionId?: string; client: Client };

/**
 * Invalidates what the event demands, in its transaction, which has locked the account.
 * @returns whether Google, identities of providers and sessions were lost, for notices
 */
export async function revokeTrust(
  {
    config,
    securityLog,
    sessions,
  }: { config: Pick<Config, "isSsoOnly">; securityLog: SecurityLog; sessions: Sessions },
  { db, ended }: Change,
  event: TrustEvent,
  { user, sessionId, client }: TrustSubject,
): Promise<{ hasLostGoogle: boolean; hasLostIdentities: boolean; hasLostSessions: boolean }> {
  const lost = losses[event];
  const gone = lost.sessions ? await sessions.removeAll(db, user.id, choiceOf(lost.sessions, sessionId)) : [];
  ended.push(...gone.map(({ id }) => id));
  const devices = new Set(gone.flatMap(({ device }) => device ?? []));
  if (lost.devices === "theirs") await forgetDevices(db, user.id, { unused: [...devices] });
  else if (lost.devices === "others") await forgetDevices(db, user.id, { except: client.device });
  else if (lost.devices === "all") await forgetDevices(db, user.id);
  if ((await endKeys(db, { user, client }, lost)).includes("change-email")) {
    await securityLog.record(db, "email-change-cancelled", user.id, client);
  }
  // A first step that was right before is right no longer.
  if (lost.sessions !== "one") await deleteTickets(db, user.id);
  if (lost.guesses) await clearThrottle(db, user.id);
  if (lost.passkeys && (await deletePasskeys(db, user.id)) > 0) {
    await securityLog.record(db, "passkey-removed", user.id, client);
  }
  const unlinks = lost.linked === "always" || (lost.linked === "beside-password" && user.password_hash !== null);
  // Where people sign in by a provider alone, identities are the only way in.
  const identities = unlinks && !config.isSsoOnly ? await deleteIdentities(db, user.id) : [];
  if (identities.length > 0) await securityLog.record(db, "identity-disconnected", user.id, client);
  const hasLostGoogle = await changeUser(db, user, { ...lost, google: lost.google === true || unlinks });
  if (hasLostGoogle) await securityLog.record(db, "google-disconnected", user.id, client);
  return { hasLostGoogle, hasLostIdentities: identities.length > 0, hasLostSessions: gone.length > 0 };
}

async function endKeys(db: Queryable, { user, client }: TrustSubject, lost: Losses): Promise<KeyPurpose[]> {
  if (lost.keys) return endEmailKeys(db, user.id, lost.keys);
  if (!lost.theirAddress) return [];
  const asker = await findDeviceOfKey(db, user.id, "change-email");
  return asker !== null && asker === client.device ? [] : endEmailKeys(db, user.id, ["change-email"]);
}

function choiceOf(which: NonNullable<Losses["sessions"]>, sessionId: string | undefined): SessionChoice {
  if (which === "all" || sessionId === undefined) return {};
  if (which === "one") return { only: sessionId };
  return { except: sessionId, ...(which !== "others" && { method: which }) };
}

type ChangedUser = Pick<Losses, "password" | "deletion"> & { google: boolean };

async function changeUser(db: Queryable, user: UserRow, lost: ChangedUser): Promise<boolean> {
  const hasLostGoogle = lost.google && user.google_subject !== null;
  const change = {
    ...(hasLostGoogle && { google_subject: null }),
    ...(lost.password === "doubted" && { password_confirmed: 0 }),
    ...(lost.password === "forgotten" && { password_hash: null }),
    ...(lost.deletion && { delete_at: null }),
  };
  if (Object.keys(change).length > 0) await changeAccount(db, user.id, change);
  return hasLostGoogle;
}
