import type { Page } from "@playwright/test";
import type { RegisterRequest } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { filedMailsTo, mailedKey } from "../testing/accounts/filed-mails.ts";
import { newPerson, signUp } from "../testing/accounts/sign-up.ts";
import type { TestApp } from "../testing/app/start-test-app.ts";
import { expect, failedRequest, test } from "./fixtures.ts";
import { holdTimers } from "./held-timers.ts";
import { movingThings } from "./looks.ts";
import { answerNoLonger, answerWith, holdCalls, htmlAnswer, jsonAnswer, recordCalls } from "./routed-calls.ts";

const keyField = (page: Page) => page.getByLabel("Verification Key", { exact: true });
const submit = (page: Page) => page.getByRole("button", { name: "Verify Email", exact: true });
const resend = (page: Page) => page.getByRole("button", { name: "Resend verification email", exact: true });
const signInLink = (page: Page) => page.getByRole("link", { name: "Sign in here", exact: true });
const success = (page: Page) => page.getByRole("heading", { name: "Email Verified Successfully!", exact: true });
/** Time for which the success of a verification is shown. */
const UNTIL_CHATS_MS = 2000;
const sent = "Verification email sent successfully!";

/** Registers a person without verifying the address. Returns the person and the mailed key. */
async function pendingPerson(app: TestApp): Promise<{ person: RegisterRequest; key: string }> {
  const person = newPerson();
  await app.call("POST", accountPaths.register, { body: person });
  return { person, key: await mailedKey(app, person.email) };
}

test("the verification screen asks for the key, with and without an address in the URL @every-screen @proof", async ({
  page,
}) => {
  await page.goto("/verify-email");
  await expect(page).toHaveTitle("Verify email · Parley");
  await expect(page.getByRole("heading", { name: "Verify Your Email", exact: true })).toBeVisible();
  await expect(page.getByText("Please enter the verification key from your email", { exact: true })).toBeVisible();
  await expect(keyField(page)).toHaveValue("");
  await expect(submit(page)).toBeEnabled();
  await expect(page.getByText("Didn't receive the email? Resend verification email", { exact: true })).toBeVisible();
  await expect(page.getByText("Already verified? Sign in here", { exact: true })).toBeVisible();

  await page.goto("/verify-email?email=ada%2Bchat%40example.org");
  const text = "Please enter the verification key sent to ada+chat@example.org";
  await expect(page.getByText(text, { exact: true })).toBeVisible();
  await signInLink(page).click();
  await expect(page).toHaveURL("/login");
});

test("a typed key verifies, signs in, and leads to the chats after two seconds @proof", async ({
  page,
  parley: { app },
}) => {
  const { person, key } = await pendingPerson(app);
  const held = await holdCalls(page, accountPaths.verify);
  await page.clock.install({ time: Date.now() });
  await page.goto("/verify-email");
  await keyField(page).fill(` ${key} `);
  await page.clock.pauseAt(Date.now() + 60_000);
  await submit(page).click();
  await expect(page.getByRole("button", { name: "Verifying...", exact: true })).toBeDisabled();
  held.letGo();
  await expect(success(page)).toBeFocused();
  const text = "Your account has been activated. Redirecting to chat...";
  await expect(page.getByText(text, { exact: true })).toBeVisible();
  await expect(keyField(page)).toHaveCount(0);
  const stored = await page.evaluate(() => ({ ...localStorage }));
  expect(Object.keys(stored).sort()).toEqual(["access_token", "user"]);
  expect(JSON.parse(stored.user ?? "")).toMatchObject({ username: person.username, emailVerified: true });

  await effectsRan(page);
  await page.clock.runFor(1999);
  await expect(page).toHaveURL("/verify-email");
  await page.clock.runFor(1);
  await expect(page).toHaveURL("/chat");
});

/** Waits until React has run the effects of the last render: its message channel task is queued before this one. */
async function effectsRan(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve();
        port2.postMessage(null);
      }),
  );
}

test("the success of a verification does not move with reduced motion @proof", async ({ page, parley: { app } }) => {
  const { key } = await pendingPerson(app);
  await holdTimers(page, UNTIL_CHATS_MS);
  await page.goto("/verify-email");
  await keyField(page).fill(key);
  await submit(page).click();
  await expect(success(page)).toBeVisible();
  expect(await movingThings(page)).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await expect.poll(() => movingThings(page)).toBe(0);
});

test("a key in the address verifies at once and only once, and is removed from the address @every-screen", async ({
  page,
  parley: { app },
}) => {
  const { person, key } = await pendingPerson(app);
  const onward = await holdTimers(page, UNTIL_CHATS_MS);
  const calls = recordCalls(page, accountPaths.verify);
  const held = await holdCalls(page, accountPaths.verify);
  await page.goto(`/verify-email?key=${key}&email=${encodeURIComponent(person.email)}`);
  await expect(page.getByRole("button", { name: "Verifying...", exact: true })).toBeDisabled();
  await expect(keyField(page)).toHaveValue(key);
  await expect(page.getByText(`Please enter the verification key sent to ${person.email}`)).toBeVisible();
  await expect(page).toHaveURL(`/verify-email?email=${encodeURIComponent(person.email)}`);
  held.letGo();
  await expect(success(page)).toBeVisible();
  await onward.letGo();
  await expect(page).toHaveURL("/chat");
  expect(calls.map((call) => call.postDataJSON())).toEqual([{ key }]);
  await page.goBack();
  await expect(page).not.toHaveURL(/verify-email/);
});

test("a blank key is reported at its field, and nothing is sent @every-screen @proof", async ({ page }) => {
  const calls = recordCalls(page, accountPaths.verify);
  await page.goto("/verify-email?key=%20");
  await expect(page).toHaveURL("/verify-email");
  for (const blank of ["", "   "]) {
    await keyField(page).fill(blank);
    await submit(page).click();
    await expect(keyField(page)).toHaveAccessibleDescription("Please enter the verification key");
    await expect(keyField(page)).toHaveAttribute("aria-invalid", "true");
  }
  await keyField(page).fill("x");
  await expect(page.getByText("Please enter the verification key", { exact: true })).toHaveCount(0);
  expect(calls).toHaveLength(0);
});

test.describe("verification with an invalid key", () => {
  test.use({ expectedErrors: [failedRequest(400)] });
  const refusal = "This verification key is not valid or has expired.";

  test("a wrong key is reported, and the right one works afterwards @every-screen @proof", async ({
    page,
    parley: { app },
  }) => {
    const { key } = await pendingPerson(app);
    await holdTimers(page, UNTIL_CHATS_MS);
    await page.goto("/verify-email?key=no-such-key");
    await expect(page.getByRole("alert")).toHaveText(refusal);
    await expect(keyField(page)).toHaveValue("no-such-key");
    await expect(submit(page)).toBeEnabled();
    await keyField(page).fill(key);
    await keyField(page).press("Enter");
    await expect(success(page)).toBeVisible();
  });

  test("a new mail invalidates the key of the old one @proof", async ({ page, parley: { app } }) => {
    const { person, key } = await pendingPerson(app);
    await holdTimers(page, UNTIL_CHATS_MS);
    await page.goto(`/verify-email?email=${encodeURIComponent(person.email)}`);
    await resend(page).click();
    await expect(page.getByText(sent)).toBeVisible();
    const newKey = await mailedKey(app, person.email);
    await keyField(page).fill(key);
    await submit(page).click();
    await expect(page.getByRole("alert")).toHaveText(refusal);
    await keyField(page).fill(newKey);
    await submit(page).click();
    await expect(success(page)).toBeVisible();
  });
});

test.describe("verification with a used key", () => {
  test.use({ expectedErrors: [failedRequest(409)] });

  test("a used key says that the address is verified, and signs nobody in @proof", async ({
    page,
    parley: { app },
  }) => {
    const { key } = await pendingPerson(app);
    await app.call("POST", accountPaths.verify, { body: { key } });
    await page.goto(`/verify-email?key=${key}`);
    await expect(page.getByRole("alert")).toHaveText("This address is already verified. Please sign in.");
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  });
});

test("resending the verification mail requires an address in the URL @every-screen @proof", async ({ page }) => {
  const calls = recordCalls(page, accountPaths.resendVerification);
  await page.goto("/verify-email");
  await resend(page).click();
  await expect(page.getByRole("alert")).toHaveText("Email address is required to resend verification email");
  expect(calls).toHaveLength(0);
});

test("resending the verification mail shows its progress and its success @every-screen @proof", async ({
  page,
  parley: { app },
}) => {
  const { person } = await pendingPerson(app);
  const calls = recordCalls(page, accountPaths.resendVerification);
  const held = await holdCalls(page, accountPaths.resendVerification);
  await page.goto(`/verify-email?email=${encodeURIComponent(person.email)}`);
  await resend(page).click();
  await expect(page.getByRole("button", { name: "Sending...", exact: true })).toBeDisabled();
  held.letGo();
  await expect(page.getByRole("status")).toHaveText(sent);
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(resend(page)).toBeEnabled();
  expect(calls.map((call) => call.postDataJSON())).toEqual([{ email: person.email }]);
  expect(await filedMailsTo(app, person.email)).toHaveLength(2);
});

test("a resend to an unknown or verified address gets the same response as to a pending one @proof", async ({
  page,
  parley: { app },
}) => {
  const { user } = await signUp(app);
  for (const address of ["nobody@example.org", user.email]) {
    await page.goto(`/verify-email?email=${encodeURIComponent(address)}`);
    await resend(page).click();
    await expect(page.getByRole("status")).toHaveText(sent);
  }
});

test("a resend's message without the word successfully is shown as an error @proof", async ({ page }) => {
  await page.goto("/verify-email?email=ada@example.org");
  await answerWith(page, accountPaths.resendVerification, jsonAnswer(200, { message: "The mail waits in line" }));
  await resend(page).click();
  await expect(page.getByRole("alert")).toHaveText("The mail waits in line");
  await answerWith(page, accountPaths.resendVerification, jsonAnswer(200, { message: "Mail queued successfully" }));
  await resend(page).click();
  await expect(page.getByRole("status")).toHaveText("Mail queued successfully");
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test.describe("responses that are not problem documents", () => {
  test.use({ expectedErrors: [/Failed to load resource/] });

  test("a failed verification shows detail, else a generic message @proof", async ({ page }) => {
    const cases = [
      [jsonAnswer(400, { detail: "That key is too old" }), "That key is too old"],
      [jsonAnswer(400, { detail: { message: "That key is too new" } }), "That key is too new"],
      [jsonAnswer(500, {}), "Email verification failed"],
      [htmlAnswer(502), "Email verification failed"],
    ] as const;
    for (const [answer, text] of cases) {
      await page.goto("/verify-email");
      await keyField(page).fill("some-key");
      await answerWith(page, accountPaths.verify, answer);
      await submit(page).click();
      await expect(page.getByRole("alert")).toHaveText(text);
    }
  });

  test("a failed resend shows detail, else a generic message, as an error @proof", async ({ page }) => {
    const cases = [
      [jsonAnswer(429, { detail: "One mail a minute" }), "One mail a minute"],
      [jsonAnswer(500, { detail: 5 }), "Failed to resend verification email"],
      [htmlAnswer(502), "Failed to resend verification email"],
      ["network", "Failed to resend verification email"],
    ] as const;
    for (const [answer, text] of cases) {
      await page.goto("/verify-email?email=ada@example.org");
      await answerWith(page, accountPaths.resendVerification, answer);
      await resend(page).click();
      await expect(page.getByRole("alert")).toHaveText(text);
    }
  });

  test("a key in a link can be retried after a network error @proof", async ({ page, parley: { app } }) => {
    const { key } = await pendingPerson(app);
    await holdTimers(page, UNTIL_CHATS_MS);
    await answerWith(page, accountPaths.verify, "network");
    await page.goto(`/verify-email?key=${key}`);
    const alert = page.getByRole("alert");
    await expect(alert.getByText("Email verification failed", { exact: true })).toBeVisible();
    await expect(alert).toContainText("The server could not be reached. Please check your connection and try again.");
    await answerNoLonger(page, accountPaths.verify);
    await submit(page).click();
    await expect(success(page)).toBeVisible();
  });
});
