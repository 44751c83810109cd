/** Who is signed in here: a store outside React, kept in local storage and followed by the other tabs. */

import { type SignedIn, type User, userSchema } from "#contract/accounts.ts";
import { SECOND } from "#contract/limits.ts";
import { paths } from "#contract/paths.ts";
import { ACCESS_TOKEN_KEY, readAccessToken } from "../../api/access-token.ts";
import { ApiError } from "../../api/api-error.ts";
import { type ApiOptions, api, onSessionLost } from "../../api/client.ts";
import { i18n } from "../../locales/i18n.ts";
import { log } from "../../log.ts";
import { onStorageChange, readStoredJson, writeStorage } from "../../storage/browser-storage.ts";
import { Store } from "../../store/store.ts";
import { useStore } from "../../store/use-store.ts";
import { notify } from "../../ui/notifications/notify.ts";
import { isTokenExpired } from "./access-token-expiry.ts";

/** Key of local storage that holds the user as JSON. The specification gives its name. */
const USER_KEY = "user";

/** Names in the log what could not be stored. */
const NAME = "The sign-in";

/** Returns token and user from local storage, which all tabs share. */
function readStored(): { token: string | null; user: User | null } {
  const token = readAccessToken();
  return { token, user: token ? (userSchema.safeParse(readStoredJson(USER_KEY)).data ?? null) : null };
}

function store(token: string, user: User): void {
  // The user first: another tab is told of each change and must never meet the new token beside the old user.
  if (writeStorage(USER_KEY, JSON.stringify(user), NAME)) writeStorage(ACCESS_TOKEN_KEY, token, NAME);
}

function removeStored(): void {
  if (writeStorage(ACCESS_TOKEN_KEY, null, NAME)) writeStorage(USER_KEY, null, NAME);
}

/** After so long without an answer the log says that the server was not told of a sign-out. */
const SIGN_OUT_WAIT_MS = 30 * SECOND;

/** `ended`: how the last session of this page came to its end, null while there is or was none. */
export type SessionState = {
  readonly token: string | null;
  readonly user: User | null;
  readonly ended: "signed-out" | "lost" | null;
};

export type Session = SessionState & {
  /** A token is there and its `exp` is not past. */
  readonly isSignedIn: boolean;
};

const session = new Store<SessionState>({ ...readStored(), ended: null });

/** Takes over what is known now of the person whose token this is; where another tab has put another token, it stays. */
function renew(token: string, user: User): void {
  if (readAccessToken() === token) store(token, user);
  session.set({ token, user, ended: null });
}

function clear(ended: "signed-out" | "lost"): void {
  removeStored();
  session.set({ token: null, user: null, ended });
}

/** The session now, for code outside React. */
export function currentSession(): Session {
  const current = session.get();
  return { ...current, isSignedIn: isSignedIn(current) };
}

function isSignedIn({ token }: SessionState): boolean {
  return token !== null && !isTokenExpired(token);
}

/** Calls `listener` after each change of the session; returns the way to end that. */
export const subscribeSession = session.subscribe;

export function useSession(): Session {
  const current = useStore(session);
  return { ...current, isSignedIn: isSignedIn(current) };
}

/** Takes over what a sign-in, a verification or Google answered, and keeps it for the next page and the other tabs. */
export function signIn({ access_token: token, user, isKept, isOtherBrowser }: SignedIn): void {
  store(token, user);
  session.set({ token, user, ended: null });
  // The account may be somebody else's, who registered with this person's address.
  if (isOtherBrowser) {
    const action = { label: i18n.t("verify.notMe", { ns: "accounts" }), run: () => void signOut() };
    notify("info", i18n.t("verify.arrived", { ns: "accounts", username: user.username }), { action });
  }
  if (isKept) notify("info", i18n.t("login.kept", { ns: "accounts" }));
}

/** Counts what is known of the person to have changed: an answer to an older question may tell how it was before. */
let userChanges = 0;

/** Takes over what has changed about the person who is signed in here: names, username or address. */
export function updateUser(user: User): void {
  userChanges += 1;
  const { token, user: before } = session.get();
  if (token !== null && (before === null || before.id === user.id)) renew(token, user);
}

/** Asks the server who the person is now: an address may have been confirmed elsewhere. Throws as every call does. */
export async function refreshUser(options: Pick<ApiOptions, "signal" | "quiet401"> = {}): Promise<void> {
  const { token } = session.get();
  if (token === null) return;
  const changesBefore = userChanges;
  const user = await api.get(paths.me, userSchema, options);
  // Where session or person have changed since, the answer is of before.
  if (session.get().token === token && userChanges === changesBefore) renew(token, user);
}

/**
 * After what may have changed the person who is signed in here, or have ended the session: looks, and leads nowhere.
 * Never throws.
 */
export async function recheckSession(): Promise<void> {
  const { token } = session.get();
  try {
    await refreshUser({ quiet401: true });
  } catch (cause) {
    const isOver = cause instanceof ApiError && cause.status === 401;
    if (isOver && session.get().token === token) clear("lost");
  }
}

/** Ends the session here alone: the server has ended it already, at the person's wish. */
export function forgetSession(): void {
  clear("signed-out");
}

/** Ends the session here at once, whatever the server does, and then on the server; settles when that is told. */
export async function signOut(): Promise<void> {
  const { token } = session.get();
  clear("signed-out");
  if (token !== null) await endOnServer(token);
}

/** Ends a session that is no longer this page's on the server. Never throws. */
export async function endOnServer(token: string): Promise<void> {
  try {
    const headers = { authorization: `Bearer ${token}` };
    const signal = AbortSignal.timeout(SIGN_OUT_WAIT_MS);
    await api.post(paths.logout, undefined, null, { headers, quiet401: true, signal, keepalive: true });
  } catch (cause) {
    log.warn("Sign-out could not be told to the server", cause);
  }
}

/**
 * Begins to follow the server (a refused token ends the session), the other tabs, and the page's return from the
 * browser's back-forward cache; checks a stored token. Call it once. Returns the way to end all that.
 */
export function startSession(): () => void {
  const comeBack = (event: PageTransitionEvent) => {
    if (event.persisted) followStorage();
  };
  const stopListening = onSessionLost(() => clear("lost"));
  const stopFollowing = onStorageChange(({ key }) => {
    if (key === null || key === ACCESS_TOKEN_KEY) followStorage();
    else if (key === USER_KEY) followUser();
  });
  window.addEventListener("pageshow", comeBack);
  refreshUser({ quiet401: true }).catch((cause: unknown) => {
    // Only told: the next request decides whether the session is over.
    log.warn("The stored sign-in could not be checked", cause);
  });
  return () => {
    stopListening();
    stopFollowing();
    window.removeEventListener("pageshow", comeBack);
  };
}

function followStorage(): void {
  const stored = readStored();
  const { token, user } = session.get();
  if (stored.token === token) return;
  // Nothing of one person may be left on a page that is now another's.
  const isAnother = user !== null && stored.user !== null && user.id !== stored.user.id;
  if (isAnother) window.location.reload();
  // A token that went was taken away on purpose: the next person must not be led to the last one's chat.
  else session.set({ ...stored, ended: stored.token ? null : "signed-out" });
}

/** Another tab has changed the person's names or address. Of a sign-in, which brings a token too, that one tells. */
function followUser(): void {
  const { token, user } = readStored();
  const current = session.get();
  if (token === null || token !== current.token || user === null) return;
  if (current.user && current.user.id !== user.id) return;
  userChanges += 1;
  session.set({ ...current, user });
}
