import type { signInMethods } from "#contract/accounts/sessions.ts";

/** Secret of an authenticator app: the second factor of an account that has one. */
export interface TotpFactorRow {
  user_id: string;
  secret_encrypted: string;
  /** Time step (RFC 6238) of the last accepted code: a code is accepted once. */
  last_step: number;
  created_at: number;
  last_used_at: number | null;
  /** A restore brought the factor back, and its owner has not signed in since. */
  restored_at: number | null;
}

/** Public key of a WebAuthn credential. */
export interface PasskeyRow {
  /** Credential ID, base64url. */
  id: string;
  user_id: string;
  name: string;
  /** COSE key, base64url. */
  public_key: string;
  /** Signatures that the authenticator has counted; 0 if it does not count. */
  counter: number;
  /** Host for which it was made: the RP ID. */
  host: string;
  created_at: number;
  last_used_at: number | null;
  /** A restore brought it back, and it has not been used since. */
  restored_at: number | null;
}

/** A recovery code that has not been used. */
export interface RecoveryCodeRow {
  user_id: string;
  hash: string;
}

/** A second factor that its owner has lost. */
export interface LostFactorRow {
  user_id: string;
  /** From then on the account needs no second factor. */
  ends_at: number;
}

/** What a ticket permits: to try codes, or to set the required second factor up. */
export type TicketPurpose = "code" | "set-up";

/** A sign-in whose first step was right. It has no right but that of its purpose. */
export interface SignInTicketRow {
  hash: string;
  user_id: string;
  purpose: TicketPurpose;
  method: (typeof signInMethods)[number] | "mail-elsewhere";
  /** Hash of the device cookie of the first step's browser; null for programs. */
  device: string | null;
  /** When the password was typed, if that was before the first step. */
  proved_at: number | null;
  /** JSON of the provider's session, of a sign-in by an identity provider. */
  provider_session: string | null;
  expires_at: number;
}

/** A known browser that is not asked for a code. */
export interface RememberedBrowserRow {
  user_id: string;
  device: string;
  expires_at: number;
}
