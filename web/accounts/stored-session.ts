/** The sign-in as this browser keeps it, for all tabs: token and user in local storage, which may be forbidden. */

import { type User, userSchema } from "#contract/accounts.ts";
import { ACCESS_TOKEN_KEY, readAccessToken } from "../api/access-token.ts";
import { parseJson } from "../api/api-error.ts";
import { log } from "../app/log.ts";

export const USER_KEY = "user";

export function readStored(): { token: string | null; user: User | null } {
  const token = readAccessToken();
  return { token, user: token ? readStoredUser() : null };
}

function readStoredUser(): User | null {
  try {
    const parsed = userSchema.safeParse(parseJson(localStorage.getItem(USER_KEY) ?? ""));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

export function store(token: string, user: User): void {
  try {
    // The user first: another tab is told of each change and must never meet the new token beside the old user.
    localStorage.setItem(USER_KEY, JSON.stringify(user));
    localStorage.setItem(ACCESS_TOKEN_KEY, token);
  } catch (cause) {
    log.warn("The sign-in could not be kept in this browser", cause);
  }
}

export function removeStored(): void {
  try {
    localStorage.removeItem(ACCESS_TOKEN_KEY);
    localStorage.removeItem(USER_KEY);
  } catch (cause) {
    log.warn("The sign-in could not be removed from this browser", cause);
  }
}
