/** Tables of connections to providers of models. */

/** A connection that an owner has made. Those that the environment sets have no rows. */
export interface ConnectionRow {
  id: string;
  /** Prefix of the values of its models; unique, never changed. */
  slug: string;
  name: string;
  kind: string;
  base_url: string;
  /** By `SecretCipher`; null: it has no key. */
  key_encrypted: string | null;
  /** JSON of its additional headers, by `SecretCipher`; null: none. */
  headers_encrypted: string | null;
  /** JSON object. */
  settings: string;
  position: number;
  is_enabled: number;
  created_at: number;
  updated_at: number;
}

/** A model of a connection, also of those that the environment sets: hence no foreign key. */
export interface ConnectionModelRow {
  slug: string;
  name: string;
  /** JSON object of what the server reports. */
  facts: string;
  /** JSON object of what an owner has entered; null: nothing. */
  overrides: string | null;
  /** 1: an owner has selected it. */
  is_offered: number;
  /** 1: the last list has it; 0: an owner has entered its name, or changed it before it left the list. */
  is_listed: number;
  position: number;
}
