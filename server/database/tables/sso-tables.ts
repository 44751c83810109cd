/** Tables of single sign-on. */

/** An identity of an account at an identity provider: never found by a name or an address. */
export interface ExternalIdentityRow {
  id: string;
  /** Issuer of OpenID Connect; of a directory or a header the name that the configuration gives it. */
  issuer: string;
  /** Unique for the issuer, which never gives it to another person. */
  subject: string;
  user_id: string;
  /** What the provider calls the person. */
  label: string;
  created_at: number;
  last_used_at: number | null;
  /** A restore brought it back, and it has not been used since. */
  restored_at: number | null;
}

/** What a session has of the provider that began it. */
export interface ProviderSessionRow {
  session_id: string;
  issuer: string;
  subject: string;
  /** The provider's id of its session (`sid`). */
  sid: string | null;
  /** By `SecretCipher`; null: the provider issued none. */
  id_token_encrypted: string | null;
}

/** An identity provider that an owner has added. Those that the environment sets have no rows. */
export interface IdentityProviderRow {
  id: string;
  /** In addresses; unique, never changed. */
  slug: string;
  name: string;
  issuer: string;
  client_id: string;
  /** By `SecretCipher`; null: a public client. */
  secret_encrypted: string | null;
  /** JSON object. */
  settings: string;
  position: number;
  is_enabled: number;
  created_at: number;
  updated_at: number;
}
