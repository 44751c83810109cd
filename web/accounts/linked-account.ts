import { mailedKeyAnswerSchema } from "#contract/account-settings.ts";
import { paths } from "#contract/paths.ts";
import { ApiError, api } from "../api/client.ts";
import { currentSession, recheckSession } from "./session/session.ts";

/** What a mailed key is for, and the username of its account. @throws ApiError `bad-link` where the server knows no such key */
export const readMailedKey = (key: string) => api.post(paths.mailedKey, { key }, mailedKeyAnswerSchema);

/** Whether the server knows no such key, or one of another purpose. */
export const isDeadLink = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 400 && error.code !== undefined;

/**
 * The username of a mailed key's account where another account is signed in here; null where nobody is, or that very
 * account, and where the server knows no such key. @throws ApiError
 */
export async function findOtherAccount(key: string): Promise<string | null> {
  if (!currentSession().isSignedIn) return null;
  try {
    const { username } = await readMailedKey(key);
    if (isOwn(username)) return null;
    // The session may have ended elsewhere, and its name be an earlier one.
    await recheckSession();
    return currentSession().isSignedIn && !isOwn(username) ? username : null;
  } catch (error) {
    if (isDeadLink(error)) return null;
    throw error;
  }
}

const isOwn = (username: string) => currentSession().user?.username === username;
