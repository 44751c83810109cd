/** The sign-in as this browser stores it, for all tabs: token and user in local storage. */

import { type User, userSchema } from "#contract/accounts.ts";
import { ACCESS_TOKEN_KEY, readAccessToken } from "../../api/access-token.ts";
import { readStoredJson, writeStorage } from "../../storage/browser-storage.ts";

/** Key of local storage that holds the user as JSON; its name is part of the product's specification. */
export const USER_KEY = "user";

const NAME = "The sign-in";

export function readStored(): { token: string | null; user: User | null } {
  const token = readAccessToken();
  return { token, user: token ? (userSchema.safeParse(readStoredJson(USER_KEY)).data ?? null) : null };
}

export function store(token: string, user: User): void {
  // The user first: another tab is told of each change and must never meet the new token beside the old user.
  if (writeStorage(USER_KEY, JSON.stringify(user), NAME)) writeStorage(ACCESS_TOKEN_KEY, token, NAME);
}

export function removeStored(): void {
  if (writeStorage(ACCESS_TOKEN_KEY, null, NAME)) writeStorage(USER_KEY, null, NAME);
}
