import { mailedKeyAnswerSchema } from "#contract/accounts/account-settings.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { ApiError, api } from "../api/client.ts";
import { currentSession, recheckSession } from "./session/session.ts";

/** Reads the purpose of a mailed key and the username of its account. @throws ApiError `bad-link` for an unknown key */
export const readMailedKey = (key: string) => api.post(accountPaths.mailedKey, { key }, mailedKeyAnswerSchema);

/** Whether the key is unknown to the server, or has another purpose. */
export const isDeadLink = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 400 && error.code !== undefined;

/**
 * Returns the username of a mailed key's account if another account is signed in here; null if none or that very
 * account is, and if the key is unknown to the server. @throws ApiError
 */
export async function findOtherAccount(key: string): Promise<string | null> {
  if (!currentSession().isSignedIn) return null;
  try {
    const { username } = await readMailedKey(key);
    if (isOwn(username)) return null;
    // The session may have ended elsewhere, or its username may be outdated.
    await recheckSession();
    return currentSession().isSignedIn && !isOwn(username) ? username : null;
  } catch (error) {
    if (isDeadLink(error)) return null;
    throw error;
  }
}

const isOwn = (username: string) => currentSession().user?.username === username;
