/** A browser in which the account has signed in before. */
export interface DeviceRow {
  user_id: string;
  /** Hash of its device cookie. */
  device: string;
  first_seen_at: number;
  last_seen_at: number;
}

/** When an account last signed in by a way. */
export interface LastSignInRow {
  user_id: string;
  way: "password" | "google" | "recovery-code";
  at: number;
}

/** Counter of a rate limit in a time window. */
export interface LimitRow {
  /** Keyed hash of limit and subject: no address or name is stored. */
  key: string;
  count: number;
  resets_at: number;
}

/** Secret that is guessed: the password, a code of the second factor, or the password of a directory. */
export type GuessPurpose = "password" | "code" | "directory";

/** Wrong guesses of a password, or of codes, since the last right one. */
export interface SignInThrottleRow {
  /** Keyed hash of the name, combined with the device if the account knows it. */
  key: string;
  /** Null if no account has that name. */
  user_id: string | null;
  failures: number;
  /** Before this time, attempts are refused without checking the password. */
  next_at: number;
  updated_at: number;
  purpose: GuessPurpose;
}
