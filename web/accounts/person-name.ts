import type { User } from "#contract/accounts/accounts.ts";

/** Returns a user's name, or the username without one. */
export const personName = ({
  firstname,
  lastname,
  username,
}: Pick<User, "firstname" | "lastname" | "username">): string => `${firstname} ${lastname}`.trim() || username;
