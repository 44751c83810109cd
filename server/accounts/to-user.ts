import * as z from "zod/mini";
import type { User } from "#contract/accounts/accounts.ts";
import type { UserRow } from "../database/schema.ts";

const storedSchema = z.record(z.string(), z.string());

/** Returns the representation of an account for its owner's browser. */
export function toUser(row: UserRow): User {
  const { id, username, email, firstname, lastname, verified_at } = row;
  return {
    ...{ id, username, email, firstname, lastname, emailVerified: verified_at !== null },
    ...preferencesPart(row),
    ...(row.role !== "person" && { role: row.role }),
  };
}

/** Returns the name of a person for other people. */
export function displayNameOf({ firstname, lastname }: Pick<UserRow, "firstname" | "lastname">): string {
  return `${firstname} ${lastname}`;
}

const preferencesPart = (row: UserRow) => row.preferences !== null && { preferences: preferencesOf(row) };

/** Returns the chosen preferences of an account by their names. */
export function preferencesOf({ preferences }: Pick<UserRow, "preferences">): Record<string, string> {
  return preferences === null ? {} : storedSchema.parse(JSON.parse(preferences));
}
