/** Tables of administration, besides audit, invitations and budgets. */

/** A setting of the installation that differs from its default. */
export interface SettingRow {
  name: string;
  /** JSON. */
  value: string;
  changed_at: number;
}

/** A group of accounts. */
export interface AccountGroupRow {
  id: string;
  name: string;
  /** Case-folded, unique. */
  name_key: string;
  /** JSON array of the values of the models that members may use; null: all. */
  models: string | null;
  /** Value of the model of new chats; null: automatic choice. */
  default_model: string | null;
  /** Storage quota of each member in megabytes; null: the server's. An account's own quota is stronger. */
  quota_mb: number | null;
  /** Budget of all members together, in 1e-9 US dollars a month; null: none. */
  budget: number | null;
  /** Budget of each member, in 1e-9 US dollars a month; null: none. An account's own budget is stronger. */
  member_budget: number | null;
  /** IANA name: the months of the group's budgets begin at midnight there. */
  time_zone: string;
  /** 1: members set a second factor up at their next sign-in. */
  needs_second_factor: number;
  /** 0: members cannot share chats by links; their existing links are paused. */
  may_share: number;
  created_at: number;
}

/** An offer of an owner to another account, which becomes an owner by accepting it. */
export interface OwnershipOfferRow {
  id: string;
  /** SHA-256 of the key, hex. The key itself is derived from the id. */
  key_hash: string;
  user_id: string;
  offered_by: string;
  /** 1: the offering account stays an owner; 0: it becomes an administrator. */
  stays_owner: number;
  created_at: number;
  expires_at: number;
}
