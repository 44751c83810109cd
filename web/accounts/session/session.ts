/** Session of this browser: a store outside React, persisted in local storage and synchronised between tabs. */

import { type SignedIn, type User, userSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { SECOND } from "#contract/limits.ts";
import { ACCESS_TOKEN_KEY, readAccessToken } from "../../api/access-token.ts";
import { isTokenExpired } from "../../api/access-token-expiry.ts";
import { ApiError, readApiError } from "../../api/api-error.ts";
import { type ApiOptions, api, onSessionLost } from "../../api/client.ts";
import { i18n } from "../../locales/i18n.ts";
import { log } from "../../log.ts";
import { onStorageChange, readStoredJson, writeStorage } from "../../storage/browser-storage.ts";
import { Store } from "../../store/store.ts";
import { useStore } from "../../store/use-store.ts";
import { notify } from "../../ui/notifications/notify.ts";

/** Key of local storage that holds the user as JSON. The specification gives its name. */
const USER_KEY = "user";

/** Name in log messages about a failed write to storage. */
const NAME = "The sign-in";

/** Returns token and user from local storage, which all tabs share. */
function readStored(): { token: string | null; user: User | null } {
  const token = readAccessToken();
  return { token, user: token ? (userSchema.safeParse(readStoredJson(USER_KEY)).data ?? null) : null };
}

function store(token: string, user: User): void {
  // The user first: another tab gets an event for each write and must never read the new token with the old user.
  if (writeStorage(USER_KEY, JSON.stringify(user), NAME)) writeStorage(ACCESS_TOKEN_KEY, token, NAME);
}

function removeStored(): void {
  if (writeStorage(ACCESS_TOKEN_KEY, null, NAME)) writeStorage(USER_KEY, null, NAME);
}

/** Timeout of the sign-out request; after it a warning is logged. */
const SIGN_OUT_WAIT_MS = 30 * SECOND;

/** `ended`: how the last session of this page ended; null while signed in, or if there was none. */
export type SessionState = {
  readonly token: string | null;
  readonly user: User | null;
  readonly ended: "signed-out" | "lost" | null;
};

export type Session = SessionState & {
  /** Whether there is a token whose `exp` is not past. */
  readonly isSignedIn: boolean;
};

const session = new Store<SessionState>({ ...readStored(), ended: null });

/** Updates the user of this token; does not overwrite local storage if another tab has stored another token. */
function renew(token: string, user: User): void {
  if (readAccessToken() === token) store(token, user);
  session.set({ token, user, ended: null });
}

function clear(ended: "signed-out" | "lost"): void {
  removeStored();
  session.set({ token: null, user: null, ended });
}

/** Returns the current session, for code outside React. */
export function currentSession(): Session {
  const current = session.get();
  return { ...current, isSignedIn: isSignedIn(current) };
}

function isSignedIn({ token }: SessionState): boolean {
  return token !== null && !isTokenExpired(token);
}

/** Calls `listener` after each change of the session; returns a function that unsubscribes it. */
export const subscribeSession = session.subscribe;

export function useSession(): Session {
  const current = useStore(session);
  return { ...current, isSignedIn: isSignedIn(current) };
}

/**
 * The only place that takes the answer of a sign-in, by password, mailed key, Google, passkey or identity provider. Stores a session for the next
 * page and other tabs.
 */
export function signIn({ access_token: token, user, isKept: deletionCancelled, isOtherBrowser }: SignedIn): void {
  store(token, user);
  session.set({ token, user, ended: null });
  // Another person may have registered the account with this person's address.
  if (isOtherBrowser) {
    const action = { label: i18n.t("verify.notMe", { ns: "accounts" }), run: () => void signOut() };
    notify("info", i18n.t("verify.arrived", { ns: "accounts", username: user.username }), { action });
  }
  if (deletionCancelled) notify("info", i18n.t("login.kept", { ns: "accounts" }));
}

/** Version counter of the user: detects a stale response to an earlier request. */
let userChanges = 0;

/** Applies a change of the signed-in user: names, username or address. */
export function updateUser(user: User): void {
  userChanges += 1;
  const { token, user: before } = session.get();
  if (token !== null && (before === null || before.id === user.id)) renew(token, user);
}

/** Reloads the user: an address may have been confirmed elsewhere. Throws as every API call does. */
export async function refreshUser(options: Pick<ApiOptions, "signal" | "quiet401"> = {}): Promise<void> {
  const { token } = session.get();
  if (token === null) return;
  const changesBefore = userChanges;
  const user = await api.get(accountPaths.me, userSchema, options);
  // If the session or the user changed since the request, the response is stale.
  if (session.get().token !== token || userChanges !== changesBefore) return;
  renew(token, user);
  if (user.secondFactorEndsAt !== undefined) void showFactorEnd(user.secondFactorEndsAt);
}

async function showFactorEnd(endsAt: number): Promise<void> {
  try {
    const { notifyOfFactorEnd } = await import("./factor-ends-notice.ts");
    await notifyOfFactorEnd(endsAt);
  } catch (cause) {
    log.warn("The end of the second factor could not be shown", cause);
  }
}

/**
 * Checks the session after an action that may have changed its user or ended it, without a redirect. Never throws.
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

/** Ends the session in this browser only: the server has already ended it at the person's request. */
export function forgetSession(): void {
  clear("signed-out");
}

/**
 * Ends the session here at once, whatever the server does, and then on the server; resolves after that request. Opens the
 * sign-out page of the identity provider by which the session began, if it has one.
 */
export async function signOut(): Promise<void> {
  const { token } = session.get();
  clear("signed-out");
  if (token !== null) await endOnServer(token, followToProvider);
}

/**
 * Ends a session on the server that this page no longer uses. Never throws.
 * @param onEnded receives the response of the server
 */
export async function endOnServer(token: string, onEnded?: (response: Response) => Promise<void>): Promise<void> {
  try {
    const headers = { authorization: `Bearer ${token}` };
    const signal = AbortSignal.timeout(SIGN_OUT_WAIT_MS);
    const init = { method: "POST", headers, quiet401: true, signal, keepalive: true };
    const response = await api.open(accountPaths.logout, init);
    if (!response.ok) throw await readApiError(response);
    await onEnded?.(response);
  } catch (cause) {
    log.warn("Sign-out could not be told to the server", cause);
  }
}

async function followToProvider(response: Response): Promise<void> {
  if (response.status !== 200) return;
  const { openProviderLogout } = await import("./provider-logout.ts");
  openProviderLogout(await response.text());
}

/**
 * Starts to listen for refused tokens, which end the session, for changes in other tabs, and for restores from the
 * back-forward cache; checks a stored token. Call it once. Returns a function that stops it.
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
    // Only logged: the next request decides whether the session is over.
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
  // No data of one account may stay on a page that now belongs to another.
  const isAnother = user !== null && stored.user !== null && user.id !== stored.user.id;
  if (isAnother) window.location.reload();
  // A removed token means a sign-out: the next person must not be redirected to the last one's chat.
  else session.set({ ...stored, ended: stored.token ? null : "signed-out" });
}

/** Applies a user that another tab has stored. A sign-in also changes the token and is handled by that event. */
function followUser(): void {
  const { token, user } = readStored();
  const current = session.get();
  if (token === null || token !== current.token || user === null) return;
  if (current.user && current.user.id !== user.id) return;
  userChanges += 1;
  session.set({ ...current, user });
}
