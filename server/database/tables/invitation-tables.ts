import type { AccountRole } from "#contract/accounts/roles.ts";

/** A link by which people register. */
export interface InvitationRow {
  id: string;
  /** SHA-256 of the key, hex. The key itself is derived from the id. */
  key_hash: string;
  /** Id of the inviting account, which may not exist any more. */
  created_by: string;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
  /** The only address that can use it; null: any. */
  address: string | null;
  address_key: string | null;
  uses_max: number;
  /**
   * Number of accounts that registered with it, without those that expired unverified. An account that was verified and
   * deleted later still counts.
   */
  uses: number;
  /** Given to the accounts when they are verified. */
  role: AccountRole;
  note: string;
  /** Group of the accounts that register with it. */
  group_id: string | null;
  /** 1: only requests from trusted networks can use it. */
  trusted_only: number;
}

/** The short code of an invitation. In a table of its own, so that tries lock no row that registrations wait for. */
export interface ClassCodeRow {
  invitation_id: string;
  /** HMAC-SHA-256 of the code with a key of the server, hex. */
  code_hash: string;
  /** Wrong codes that were entered while it could be used. */
  tries: number;
}

/** An account that registered with an invitation. */
export interface InvitationUseRow {
  user_id: string;
  invitation_id: string;
  at: number;
}
