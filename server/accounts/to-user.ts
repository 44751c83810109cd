import type { User } from "#contract/accounts.ts";
import type { UserRow } from "../database/schema.ts";

/** An account as its owner's browser gets it. */
export function toUser({ id, username, email, firstname, lastname, verified_at }: UserRow): User {
  return { id, username, email, firstname, lastname, emailVerified: verified_at !== null };
}
