import type { User } from "#contract/accounts.ts";

/** Returns one or two letters for a user's picture: of first and last name, or of the username without names. */
export function initialsOf({
  firstname,
  lastname,
  username,
}: Pick<User, "firstname" | "lastname" | "username">): string {
  const names = [firstname, lastname].map((name) => name.trim()).filter(Boolean);
  const letters = names.length > 0 ? names.map((name) => [...name][0]) : [...username].slice(0, 2);
  return letters.join("").toLocaleUpperCase();
}
