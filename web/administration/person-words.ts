import type { ListedAccount } from "#contract/administration.ts";

/** Returns the name of an account's person, or its username without one. */
export const personName = ({
  firstname,
  lastname,
  username,
}: Pick<ListedAccount, "firstname" | "lastname" | "username">) => `${firstname} ${lastname}`.trim() || username;
