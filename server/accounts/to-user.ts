import type { User } from "#contract/accounts.ts";
import type { UserRow } from "../database/schema.ts";

/** Returns the representation of an account for its owner's browser. */
export function toUser({ id, username, email, firstname, lastname, verified_at }: UserRow): User {
  return { id, username, email, firstname, lastname, emailVerified: verified_at !== null };
}
