/**
 * Appearance settings and language follow the account: choices are applied here at once, stored in the account, and
 * applied in its other browsers when they load the user. A preference that was never chosen is left as it is here.
 */

import { userSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import type { Preferences } from "#contract/accounts/preference-calls.ts";
import { appearanceChoices, BROWSER_LANGUAGE } from "#contract/accounts/preferences.ts";
import { ApiError } from "../api/api-error.ts";
import { api } from "../api/client.ts";
import { chooseLanguage } from "../locales/language.ts";
import { type Language, languages } from "../locales/supported-languages.ts";
import { chosenLanguage } from "../locales/wanted-language.ts";
import { log } from "../log.ts";
import { readStoredJson, writeStorage } from "../storage/browser-storage.ts";
import { StoredText } from "../storage/stored-text.ts";
import { type Appearance, changeAppearance, currentAppearance } from "../ui/appearance/appearance.ts";
import { currentSession, subscribeSession, updateUser } from "./session/session.ts";

/** Choices that the server does not have yet: `{ account, change }`. */
const UNSENT_KEY = "parley.unsent-preferences";
const scope = new StoredText("parley.preferences", "Where preferences apply");
const DEVICE = "device";

/** Whether choices stay in this browser, and those of other browsers do not apply here. */
export const deviceScope = {
  subscribe: scope.subscribe,
  get: (): boolean => scope.get() === DEVICE,
  set: (isOn: boolean): void => {
    scope.set(isOn ? DEVICE : null);
    if (isOn) writeUnsent({});
    else adopt();
  },
};

/** Changes appearance settings, here and in the account. */
export function changeAccountAppearance(change: Partial<Appearance>): void {
  changeAppearance(change);
  save(change);
}

/** Changes the language, here and in the account; null selects the browser's own. Rejects like `chooseLanguage`. */
export async function chooseAccountLanguage(tag: Language | null): Promise<void> {
  await chooseLanguage(tag);
  save({ language: tag ?? BROWSER_LANGUAGE });
}

/** Starts to apply the account's preferences, and to send choices that could not be sent. Returns a stop function. */
export function followPreferences(): () => void {
  const follow = () => {
    if (currentSession().user) adopt();
    else writeUnsent({});
  };
  const stop = subscribeSession(follow);
  window.addEventListener("online", sendUnsent);
  if (currentSession().user) adopt();
  sendUnsent();
  return () => {
    stop();
    window.removeEventListener("online", sendUnsent);
  };
}

function save(change: Preferences): void {
  if (deviceScope.get() || !currentSession().user) return;
  writeUnsent({ ...unsent(), ...change });
  sendUnsent();
}

/** Applies the account's preferences that differ from those of this browser. Unknown names and values are ignored. */
function adopt(): void {
  const { user } = currentSession();
  if (deviceScope.get() || !user) return;
  const wanted: Readonly<Record<string, unknown>> = { ...user.preferences, ...unsent() };
  const before = currentAppearance();
  const after = Object.entries(appearanceChoices).flatMap(([name, values]) => {
    const value = values.find((each) => each === wanted[name]);
    return value === undefined ? [] : [[name, value]];
  });
  const next: Appearance = { ...before, ...Object.fromEntries(after) };
  if (JSON.stringify(next) !== JSON.stringify(before)) changeAppearance(next);
  const tag = languages.find((each) => each.tag === wanted.language)?.tag ?? null;
  if ((tag === null && wanted.language !== BROWSER_LANGUAGE) || tag === chosenLanguage()) return;
  chooseLanguage(tag).catch((cause: unknown) => log.warn("The account's language could not be loaded", cause));
}

let sending = Promise.resolve();

/** Sends choices after earlier ones, so that the server receives them in their order. */
function sendUnsent(): void {
  sending = sending.then(trySend);
}

/** Sends all unsent choices. Keeps them after a failure, but discards a change that the server refuses. */
async function trySend(): Promise<void> {
  const change = unsent();
  if (Object.keys(change).length === 0) return;
  try {
    await send(change);
  } catch (cause) {
    log.warn("Preferences could not be stored in the account", cause);
    if (cause instanceof ApiError && cause.status === 400) writeUnsent({});
  }
}

async function send(change: Preferences): Promise<void> {
  const user = await api.patch(accountPaths.preferences, change, userSchema);
  const later = Object.entries(unsent()).filter(([name, value]) => value !== change[name as keyof Preferences]);
  writeUnsent(Object.fromEntries(later));
  updateUser(user);
}

function unsent(): Preferences {
  const stored = Object(readStoredJson(UNSENT_KEY));
  return stored.account === currentSession().user?.id ? Object(stored.change) : {};
}

function writeUnsent(change: Preferences): void {
  const account = currentSession().user?.id;
  const text = JSON.stringify({ account, change });
  writeStorage(UNSENT_KEY, Object.keys(change).length === 0 ? null : text, "Unsent preferences");
}
