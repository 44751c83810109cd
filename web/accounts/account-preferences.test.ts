import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { User } from "#contract/accounts/accounts.ts";
import { ApiError } from "../api/client.ts";
import { chooseLanguage } from "../locales/language.ts";
import { chosenLanguage } from "../locales/wanted-language.ts";
import { log } from "../log.ts";
import script from "../public/appearance.js?raw";
import { ada, type FakeAnswer, fakeApi, tokenFor } from "../testing/fakes/fake-api.ts";
import { APPEARANCE_KEY, changeAppearance, currentAppearance, usualAppearance } from "../ui/appearance/appearance.ts";
import {
  changeAccountAppearance,
  chooseAccountLanguage,
  deviceScope,
  followPreferences,
} from "./account-preferences.ts";
import { forgetSession, signIn } from "./session/session.ts";

const NOT_STORED = "Preferences could not be stored in the account";

let stop = () => {};
beforeEach(() => {
  localStorage.clear();
  new Function(script)();
});
afterEach(async () => {
  stop();
  deviceScope.set(false);
  forgetSession();
  await chooseLanguage(null);
  window.dispatchEvent(new CustomEvent(APPEARANCE_KEY, { detail: null }));
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const withPreferences = (preferences?: Record<string, string>): User => ({
  ...ada,
  ...(preferences && { preferences }),
});
const signInAs = (user: User) => signIn({ access_token: tokenFor("1"), user, emailVerified: true });

/** Signs in while preferences are followed. Returns the bodies of the requests that change preferences. */
function openPage(user: User, answers: FakeAnswer | readonly FakeAnswer[] = { json: user }) {
  const calls = fakeApi({ "PATCH /auth/preferences": answers, "GET /auth/me": { json: user } });
  stop = followPreferences();
  signInAs(user);
  return () => calls.filter(({ method }) => method === "PATCH").map(({ body }) => body);
}

test("the account's preferences apply at the sign-in; others stay as they are in this browser", async () => {
  changeAppearance({ size: "large", motion: "less" });
  openPage(withPreferences({ theme: "dark", motion: "system", language: "de" }));
  expect(currentAppearance()).toEqual({ ...usualAppearance, theme: "dark", size: "large" });
  await vi.waitFor(() => expect(document.documentElement.lang).toBe("de"));
  expect(chosenLanguage()).toBe("de");
});

test("nothing changes for an account without preferences, or with unknown ones", () => {
  changeAppearance({ theme: "dark" });
  openPage(ada);
  signInAs(withPreferences({ theme: "sepia", language: "xx", shape: "round" }));
  expect(currentAppearance()).toEqual({ ...usualAppearance, theme: "dark" });
  expect(chosenLanguage()).toBeNull();
});

test("choices apply at once and are stored in the account", async () => {
  const sent = openPage(ada, [
    { json: withPreferences({ theme: "dark" }) },
    { json: withPreferences({ theme: "dark", language: "fr" }) },
    { json: withPreferences({ theme: "dark", language: "browser" }) },
  ]);
  changeAccountAppearance({ theme: "dark" });
  expect(currentAppearance().theme).toBe("dark");
  await vi.waitFor(() => expect(sent()).toEqual([{ theme: "dark" }]));
  await chooseAccountLanguage("fr");
  await vi.waitFor(() => expect(sent()[1]).toEqual({ language: "fr" }));
  await chooseAccountLanguage(null);
  await vi.waitFor(() => expect(sent()[2]).toEqual({ language: "browser" }));
  expect(chosenLanguage()).toBeNull();
});

test("an older answer does not revert a newer choice", async () => {
  let answerFirst = (_: Response) => {};
  const first = new Promise<Response>((resolve) => {
    answerFirst = resolve;
  });
  const sent = openPage(ada, [() => first, { json: withPreferences({ theme: "light" }) }]);
  changeAccountAppearance({ theme: "dark" });
  await vi.waitFor(() => expect(sent()).toHaveLength(1));
  changeAccountAppearance({ theme: "light" });
  answerFirst(Response.json(withPreferences({ theme: "dark" })));
  await vi.waitFor(() => expect(sent()).toEqual([{ theme: "dark" }, { theme: "light" }]));
  expect(currentAppearance().theme).toBe("light");
});

test("a choice without a network is sent by the next page, and not reverted before", async () => {
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  const sent = openPage(withPreferences({ theme: "light" }), [() => Promise.reject(new TypeError("offline"))]);
  changeAccountAppearance({ theme: "dark" });
  await vi.waitFor(() => expect(sent()).toContainEqual({ theme: "dark" }));
  await vi.waitFor(() => expect(warn).toHaveBeenCalledWith(NOT_STORED, expect.any(ApiError)));
  stop();
  const calls = fakeApi({ "PATCH /auth/preferences": { json: withPreferences({ theme: "dark" }) } });
  stop = followPreferences();
  signInAs(withPreferences({ theme: "light" }));
  expect(currentAppearance().theme).toBe("dark");
  await vi.waitFor(() => expect(calls.map(({ body }) => body)).toContainEqual({ theme: "dark" }));
});

test("choices of one account are not sent for the next", async () => {
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  const sent = openPage(ada, [() => Promise.reject(new TypeError("offline"))]);
  changeAccountAppearance({ theme: "dark" });
  await vi.waitFor(() => expect(sent()).toContainEqual({ theme: "dark" }));
  forgetSession();
  signInAs({ ...ada, id: "2" });
  window.dispatchEvent(new Event("online"));
  changeAccountAppearance({ size: "large" });
  await vi.waitFor(() => expect(sent().at(-1)).toEqual({ size: "large" }));
  expect(warn).toHaveBeenCalledWith(NOT_STORED, expect.any(ApiError));
});

test("choices “only on this device” stay here, and those of the account do not apply until that is turned off", async () => {
  deviceScope.set(true);
  const sent = openPage(withPreferences({ theme: "dark" }));
  changeAccountAppearance({ theme: "light", size: "small" });
  expect(currentAppearance()).toEqual({ ...usualAppearance, theme: "light", size: "small" });
  deviceScope.set(false);
  expect(currentAppearance()).toEqual({ ...usualAppearance, theme: "dark", size: "small" });
  expect(sent()).toEqual([]);
});
