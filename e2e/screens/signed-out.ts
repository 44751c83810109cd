import type { Page } from "@playwright/test";
import { accountPaths } from "#contract/accounts/paths.ts";
import { mailedKey } from "../../testing/accounts/filed-mails.ts";
import { insertTestGroup, moveToGroup } from "../../testing/accounts/groups.ts";
import { newestKeyFor } from "../../testing/accounts/mailed-links.ts";
import { switchSecondFactorOn } from "../../testing/accounts/second-factor.ts";
import { newPerson, signUp, signUpProved } from "../../testing/accounts/sign-up.ts";
import type { TestApp } from "../../testing/app/start-test-app.ts";
import { fillRegistration, signIn } from "../fixtures.ts";
import { holdTimers } from "../held-timers.ts";
import { answerWith, jsonAnswer } from "../routed-calls.ts";
import { field, press } from "../settings-screen.ts";
import { leaveUnanswered, type Scene, type Screens } from "./walk.ts";

/** Time for which the success of a verification is shown. */
const UNTIL_CHATS_MS = 2000;

const alert = (page: Page) => page.getByRole("alert");
const heading = (text: string) => (page: Page) => page.getByRole("heading", { level: 1, name: text, exact: true });
const button = (text: string) => (page: Page) => press(page, text);
const words = (text: string) => (page: Page) => page.getByText(text, { exact: true });

/** Refuses the page's calls of a path for so many seconds. */
const limit = ({ page }: Scene, path: string, seconds: number) =>
  page.route(
    ({ pathname }) => pathname.endsWith(path),
    (route) =>
      route.fulfill({
        status: 429,
        body: JSON.stringify({ detail: "No.", error: "No.", code: "too-many-requests" }),
        contentType: "application/problem+json",
        headers: { "retry-after": String(seconds) },
      }),
  );

/** Registers a person without verifying the address. @returns the address and the mailed key */
export async function pendingPerson(app: TestApp): Promise<{ email: string; key: string }> {
  const person = newPerson();
  await app.call("POST", accountPaths.register, { body: person });
  return { email: encodeURIComponent(person.email), key: await mailedKey(app, person.email) };
}

/** Returns the key of a mailed link by which an account sets a new password. */
export async function resetKey(app: TestApp): Promise<string> {
  const { user } = await signUp(app);
  await app.call("POST", accountPaths.forgotPassword, { body: { email: user.username } });
  return newestKeyFor(app, "reset-password", user.email);
}

/** Signs a person up with a second factor. Adds username, password and address to `ids`. */
async function addSecondFactor(app: TestApp, ids: Scene["ids"]): Promise<void> {
  const account = await signUpProved(app);
  await switchSecondFactorOn(app, account);
  Object.assign(ids, { username: account.user.username, password: account.password, owner: account.user.email });
}

export const signInScreens: Screens = {
  "sign-in": { open: "/login", shows: button("Sign In") },
  "sign-in with empty fields": {
    reach: ({ page }) => press(page, "Sign In").click(),
    shows: words("Username is required"),
  },
  "sign-in refused": { reach: ({ page }) => signIn(page, "nobody", "wrong words"), shows: alert },
  "sign-in without a network": {
    reach: async ({ page }) => {
      await answerWith(page, accountPaths.login, "network");
      await press(page, "Sign In").click();
    },
    shows: words("Login failed"),
  },
  "sign-in after too many attempts": {
    reach: async (scene) => {
      await limit(scene, accountPaths.login, 900);
      await press(scene.page, "Sign In").click();
    },
    shows: (page) => page.getByRole("link", { name: "Or set a new password" }),
  },
  "sign-in in progress": {
    before: (scene) => leaveUnanswered(scene, accountPaths.login),
    open: "/login",
    reach: ({ page }) => signIn(page, "nobody", "wrong words"),
    shows: button("Signing in..."),
  },
  "unknown address": { open: "/no/such/page", shows: heading("There is nothing here") },
  "accessibility statement": { open: "/accessibility", shows: (page) => page.getByRole("heading", { level: 2 }) },
  "sign-in by passkey": {
    before: async ({ page }) => {
      const config = { productName: "Parley", passwordMin: 8, passwordPolicy: "plain", registrationOpen: true };
      await answerWith(page, accountPaths.authConfig, jsonAnswer(200, { ...config, hasPasskeys: true }));
      await leaveUnanswered({ page }, accountPaths.passkeyChallenge);
    },
    open: "/login",
    shows: button("Sign in with a passkey"),
  },
};

const TAKEN = "taken";

export const registrationScreens: Screens = {
  registration: {
    before: async ({ app, page, ids }) => {
      await holdTimers(page, UNTIL_CHATS_MS);
      ids[TAKEN] = (await signUp(app)).user.username;
    },
    open: "/register",
    shows: button("Create Account"),
  },
  "registration with empty fields": {
    reach: ({ page }) => field(page, "Username").press("Enter"),
    shows: words("Email is required"),
  },
  "registration refused": {
    reach: async ({ page, ids }) => {
      await fillRegistration(page, { ...newPerson(), username: ids[TAKEN] ?? "" });
      await press(page, "Create Account").click();
    },
    shows: alert,
  },
  "registration complete": {
    reach: async ({ page }) => {
      await field(page, "Username").fill(newPerson().username);
      await press(page, "Create Account").click();
    },
    shows: heading("Registration Successful!"),
  },
  "registration in progress": {
    before: (scene) => leaveUnanswered(scene, accountPaths.register),
    open: "/register",
    reach: async ({ page }) => {
      await fillRegistration(page, newPerson());
      await press(page, "Create Account").click();
    },
    shows: button("Creating Account..."),
  },
  "registration closed": {
    before: ({ page }) =>
      answerWith(
        page,
        accountPaths.authConfig,
        jsonAnswer(200, { productName: "Parley", passwordMin: 8, passwordPolicy: "plain", registrationOpen: false }),
      ),
    open: "/register",
    shows: words("New accounts are not open here. Please ask the administrator."),
  },
};

export const verificationScreens: Screens = {
  verification: {
    before: ({ page }) => holdTimers(page, UNTIL_CHATS_MS),
    open: "/verify-email",
    shows: button("Verify Email"),
  },
  "verification with an empty key": {
    reach: ({ page }) => press(page, "Verify Email").click(),
    shows: words("Please enter the verification key"),
  },
  "verification with a wrong key": {
    reach: async ({ page }) => {
      await field(page, "Verification Key").fill("no-such-key");
      await press(page, "Verify Email").click();
    },
    shows: alert,
  },
  "mail requested without an address": {
    open: "/verify-email",
    reach: ({ page }) => press(page, "Resend verification email").click(),
    shows: words("Email address is required to resend verification email"),
  },
  "mail sent again": {
    open: "/verify-email?email=nobody%40example.org",
    reach: ({ page }) => press(page, "Resend verification email").click(),
    shows: words("Verification email sent successfully!"),
  },
  "mail requested": {
    reach: async (scene) => {
      await leaveUnanswered(scene, accountPaths.resendVerification);
      await press(scene.page, "Resend verification email").click();
    },
    shows: button("Sending..."),
  },
  "address verified": {
    before: async ({ app, ids }) => Object.assign(ids, await pendingPerson(app)),
    open: "/verify-email?key=:key&email=:email",
    shows: heading("Email Verified Successfully!"),
  },
  "chats after a verification": {
    reach: ({ page }) => page.evaluate(() => window.letTimersGo?.()),
    shows: (page) => press(page, "Not you? Log out"),
  },
  "verification in progress": {
    before: async (scene) => {
      await leaveUnanswered(scene, accountPaths.verify);
      await scene.page.evaluate(() => localStorage.clear());
    },
    open: "/verify-email?key=some-key",
    shows: button("Verifying..."),
  },
};

export const recoveryScreens: Screens = {
  "link that is no longer valid": {
    open: "/reset-password#key=nothing",
    shows: heading("This Link No Longer Works"),
  },
  "forgotten password": { open: "/forgot-password", shows: button("Send Link") },
  "forgotten password without a name": {
    reach: ({ page }) => press(page, "Send Link").click(),
    shows: words("Email or username is required"),
  },
  "link on its way": {
    reach: async ({ page }) => {
      await field(page, "Email or username").fill("ada");
      await press(page, "Send Link").click();
    },
    shows: heading("Check Your Mail"),
  },
  "forgotten password after too many attempts": {
    before: (scene) => limit(scene, accountPaths.forgotPassword, 900),
    open: "/forgot-password?email=ada",
    reach: ({ page }) => press(page, "Send Link").click(),
    shows: alert,
  },
  "new password": {
    before: async ({ app, ids }) => Object.assign(ids, { key: await resetKey(app) }),
    open: "/reset-password#key=:key",
    shows: button("Set Password"),
  },
  "new password with errors": {
    reach: async ({ page }) => {
      await page.getByRole("textbox", { name: "New Password", exact: true }).fill("password1");
      await page.getByRole("textbox", { name: "Confirm Password", exact: true }).fill("password2");
      await press(page, "Set Password").focus();
      // Fades in once the list of common passwords is loaded.
      await page.getByText(/lists of common passwords/).waitFor();
    },
    shows: words("Passwords do not match"),
  },
  "new address to confirm": {
    before: async ({ app, ids }) => {
      const { token, user } = await signUpProved(app);
      const email = `new-${user.email}`;
      await app.call("POST", accountPaths.email, { token, body: { email } });
      ids.key = await newestKeyFor(app, "confirm-email", email);
      ids.former = user.email;
    },
    open: "/confirm-email#key=:key",
    shows: heading("Confirm Your New Address?"),
  },
  "new address confirmed": {
    reach: ({ page }) => press(page, "Confirm Address").click(),
    shows: heading("Address Confirmed!"),
  },
  "former address to restore": {
    before: async ({ app, ids }) => {
      ids.key = await newestKeyFor(app, "undo-email", ids.former ?? "");
    },
    open: "/undo-email#key=:key",
    shows: heading("Restore Your Former Address?"),
  },
  "former address restored": {
    reach: ({ page }) => press(page, "Restore Address").click(),
    shows: heading("Address Restored"),
  },
  "second factor to set up": {
    before: async ({ app, ids }) => {
      const account = await signUp(app);
      await moveToGroup(app, await insertTestGroup(app, { needs_second_factor: 1 }), account);
      Object.assign(ids, { username: account.user.username, password: account.password });
    },
    open: "/login",
    reach: ({ page, ids }) => signIn(page, ids.username ?? "", ids.password ?? ""),
    shows: heading("Set Up a Second Factor"),
  },
  "second factor with its QR code": {
    reach: ({ page }) => press(page, "Set Up").click(),
    shows: button("Switch on"),
  },
  "second step": {
    before: ({ app, ids }) => addSecondFactor(app, ids),
    open: "/login",
    reach: ({ page, ids }) => signIn(page, ids.username ?? "", ids.password ?? ""),
    shows: heading("One more step"),
  },
  "second step with a wrong code": {
    reach: ({ page }) => field(page, "Code").fill("000000"),
    shows: words("That code is not right, or was used already."),
  },
  "second step by a recovery code": {
    reach: async ({ page }) => {
      await press(page, "Use a recovery code").click();
      await press(page, "I have lost my app and my codes").click();
    },
    shows: button("Mail me the link"),
  },
  "link for a lost second factor on its way": {
    reach: ({ page }) => press(page, "Mail me the link").click(),
    shows: words("A mail with a link is on its way to the address of your account."),
  },
  "second factor to lose": {
    before: async ({ app, ids }) => {
      ids.key = await newestKeyFor(app, "lose-factor", ids.owner ?? "");
    },
    open: "/lose-factor#key=:key",
    shows: heading("Have You Lost Your Second Factor?"),
  },
  "second factor reported as lost": {
    reach: ({ page }) => press(page, "I Have Lost It").click(),
    shows: heading("The Second Factor Will End"),
  },
  "second factor to keep": {
    before: async ({ app, ids }) => {
      ids.key = await newestKeyFor(app, "keep-factor", ids.owner ?? "");
    },
    open: "/keep-factor#key=:key",
    shows: heading("Keep Your Second Factor?"),
  },
  "end of the second factor stopped": {
    reach: ({ page }) => press(page, "Keep It").click(),
    shows: heading("The Second Factor Stays"),
  },
};

/** Links of another account than the one that is signed in. */
export const otherAccountScreens: Screens = {
  "verification of another account": {
    before: async ({ app, ids }) => Object.assign(ids, await pendingPerson(app)),
    open: "/verify-email?key=:key&email=:email",
    shows: heading("Switch to Another Account?"),
  },
  "new password of another account": {
    before: async ({ app, ids }) => Object.assign(ids, { key: await resetKey(app) }),
    open: "/reset-password#key=:key",
    shows: (page) => page.getByRole("definition"),
  },
};
