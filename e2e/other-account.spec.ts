import type { Page } from "@playwright/test";
import type { RegisterRequest } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { mailedKey } from "../testing/accounts/filed-mails.ts";
import { newestKeyFor } from "../testing/accounts/mailed-links.ts";
import { newPerson, signUp } from "../testing/accounts/sign-up.ts";
import type { TestApp } from "../testing/app/start-test-app.ts";
import { chatsSettled } from "./account-menu.ts";
import { expect, test } from "./fixtures.ts";
import { holdTimers } from "./held-timers.ts";
import { expectTabOrder, expectUsableAtTwiceTheSize } from "./looks.ts";
import { recordCalls } from "./routed-calls.ts";

/** Time for which the success of a verification is shown. */
const UNTIL_CHATS_MS = 2000;
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const usernames = (page: Page) => page.getByRole("definition");

/** Registers a person through the API without verifying the address. Returns the person and the mailed link. */
async function pendingPerson(app: TestApp): Promise<{ person: RegisterRequest; link: string }> {
  const person = newPerson();
  await app.call("POST", accountPaths.register, { body: person });
  const key = await mailedKey(app, person.email);
  return { person, link: `/verify-email?key=${key}&email=${encodeURIComponent(person.email)}` };
}

test.describe("L1 a mailed link of an account other than the signed-in one", () => {
  // The logout of the earlier session is refused once: the anti-forgery cookie is already the new session's.
  test.use({ expectedErrors: [/status of 40[13]/] });

  test("a verification of another account replaces the session after a click on a screen that names both @every-screen", async ({
    page,
    account,
    parley: { app },
  }) => {
    const { person, link } = await pendingPerson(app);
    const calls = recordCalls(page, accountPaths.verify);
    await page.goto(link);
    await expect(heading(page, "Switch to Another Account?")).toBeFocused();
    await expect(usernames(page)).toHaveText([account.user.username, person.username]);
    expect(await page.getByRole("main").textContent()).not.toContain(person.email);
    await expectUsableAtTwiceTheSize(page, [press(page, "Verify and Switch"), press(page, "Stay Signed In")]);
    await press(page, "Stay Signed In").click();
    await expect(page).toHaveURL("/chat");
    expect(calls).toEqual([]);

    await holdTimers(page, UNTIL_CHATS_MS);
    await page.goto(link);
    await expect(heading(page, "Switch to Another Account?")).toBeFocused();
    await expectTabOrder(page, [press(page, "Verify and Switch"), press(page, "Stay Signed In")]);
    await press(page, "Verify and Switch").press("Enter");
    await expect(heading(page, "Email Verified Successfully!")).toBeFocused();
    const stored = () => page.evaluate(() => JSON.parse(localStorage.getItem("user") ?? "null")?.username);
    expect([await stored(), calls.length]).toEqual([person.username, 1]);
    await expect.poll(async () => (await app.call("GET", accountPaths.me, { token: account.token })).status).toBe(401);
  });

  test("a reset link of another account sets its password, and leaves the session unchanged @every-screen @proof", async ({
    page,
    account,
    parley: { app },
  }) => {
    const { user } = await signUp(app);
    await app.call("POST", accountPaths.forgotPassword, { body: { email: user.username } });
    await page.goto(`/reset-password#key=${await newestKeyFor(app, "reset-password", user.email)}`);
    await expect(usernames(page)).toHaveText([account.user.username, user.username]);
    expect(await page.getByRole("main").textContent()).not.toContain(user.email);
    for (const label of ["New Password", "Confirm Password"]) {
      await page.getByRole("textbox", { name: label, exact: true }).fill("another horse battery");
    }
    await press(page, "Set Password").click();
    await expect(heading(page, "Your Password Is Set")).toBeFocused();
    await press(page, "Go to Your Chats").click();
    await chatsSettled(page);
    expect((await app.call("GET", accountPaths.me, { token: account.token })).status).toBe(200);
  });
});

test("L1 a link opened in another browser shows the account's name and offers a logout @every-screen", async ({
  page,
  parley: { app },
}) => {
  const { person, link } = await pendingPerson(app);
  await page.goto(link);
  await expect(page).toHaveURL("/chat");
  const note = page
    .getByRole("region", { name: "Notifications" })
    .filter({ hasText: `Signed in as ${person.username}.` });
  await expect(note).toBeVisible();
  await note.getByRole("button", { name: "Not you? Log out", exact: true }).click();
  await expect(heading(page, "Parley Chat Login")).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem("access_token"))).toBeNull();
});
