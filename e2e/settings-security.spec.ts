import type { Page } from "@playwright/test";
import { accountPaths } from "#contract/accounts/paths.ts";
import { SECURITY_LOG_PAGE } from "#contract/accounts/sessions.ts";
import { SITE_NOTICE_PATH } from "#contract/administration/site-notice.ts";
import { answered, logOut, openSettings } from "./account-menu.ts";
import { expect, failedRequest, signIn, test } from "./fixtures.ts";
import { expectFocusVisible } from "./looks.ts";
import { answerNoLonger, answerWith } from "./routed-calls.ts";
import {
  anotherBrowser,
  field,
  loginTitle,
  openSection,
  part,
  press,
  proofDialog,
  prove,
  proveInDialog,
  title,
} from "./settings-screen.ts";

const NEW_PASSWORD = "another horse battery";

async function fillPasswords(page: Page, current: string, chosen: string, repeated = chosen): Promise<void> {
  await field(page, "Current password").fill(current);
  await field(page, "New password").fill(chosen);
  await field(page, "Repeat the new password").fill(repeated);
}

test.describe("A7 the password", () => {
  test.use({ expectedErrors: [/status of 40[013]|ERR_INCOMPLETE_CHUNKED_ENCODING/] });

  test("a changed password requires the current one once, and ends every other session", async ({
    page,
    account,
    browser,
    parley: { app },
  }) => {
    const elsewhere = await anotherBrowser(browser, app, account);
    await openSection(page, "security");
    await press(page, "Change password").click();
    await expect(field(page, "Current password")).toBeFocused();
    await fillPasswords(page, account.password, NEW_PASSWORD);
    await page.keyboard.press("Enter");
    await expect(page.getByText("Your password was changed. Your other sessions were signed out.")).toBeVisible();
    await expect(press(page, "Change password")).toBeFocused();
    await expect(proofDialog(page)).toHaveCount(0);
    await expect(loginTitle(elsewhere.page)).toBeVisible();
    expect((await app.call("GET", accountPaths.me, { token: elsewhere.token })).status).toBe(401);
    await elsewhere.context.close();

    await page.getByRole("link", { name: "Back to chats" }).click();
    await logOut(page);
    await signIn(page, account.user.username, account.password);
    await expect(page.getByRole("alert")).toHaveText("The username or password is not right.");
    await signIn(page, account.user.username, NEW_PASSWORD);
    await expect(page).toHaveURL("/chat");
  });

  test("errors of the password form are shown at their fields, and the input stays @every-screen @proof", async ({
    page,
    account,
  }) => {
    await openSection(page, "security");
    await press(page, "Change password").click();
    await fillPasswords(page, account.password, "short", "other");
    await press(page, "Change password").click();
    await expect(field(page, "New password")).toBeFocused();
    await expect(field(page, "New password")).toHaveAccessibleDescription("New password must be at least 8 characters");
    await expect(field(page, "Repeat the new password")).toHaveAccessibleDescription("Passwords do not match");
    await fillPasswords(page, "not my password", NEW_PASSWORD);
    await press(page, "Change password").click();
    await expect(field(page, "Current password")).toHaveAccessibleDescription("That is not your password.");
    await expect(field(page, "Current password")).toBeFocused();
    await expect(field(page, "New password")).toHaveValue(NEW_PASSWORD);
    await press(page, "Cancel").click();
    await expect(press(page, "Change password")).toBeFocused();
  });
});

test.describe("the list of sessions", () => {
  test.use({ expectedErrors: [/Failed to load resource|ERR_INCOMPLETE_CHUNKED_ENCODING/] });

  test("E4 L3 signing out another session requires a proof, ends it there and removes it from the list @every-screen", async ({
    page,
    account,
    browser,
    parley: { app },
  }) => {
    const elsewhere = await anotherBrowser(browser, app, account);
    await openSection(page, "security");
    const lines = part(page, "Sessions").getByRole("listitem");
    await expect(lines).toHaveCount(2);
    await expect(lines.first()).toContainText("This session");
    await expect(lines.first()).toContainText("Active now");
    await expect(lines.last()).toContainText("with password");
    await press(lines.last(), /^Sign out /).click();
    await expect(field(proofDialog(page), "Password")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(press(lines.last(), /^Sign out /)).toBeFocused();
    expect((await app.call("GET", accountPaths.me, { token: elsewhere.token })).status).toBe(200);
    await page.keyboard.press("Enter");
    await proveInDialog(page, account);
    await expect(lines).toHaveCount(1);
    await expect(page.getByText(/ was signed out\.$/)).toBeVisible();
    await expect(page.getByRole("heading", { name: "Sessions" })).toBeFocused();
    await expect(loginTitle(elsewhere.page)).toBeVisible();
    await elsewhere.context.close();
  });

  test("E4 L3 signing out all other sessions requires a confirmation and a proof @proof", async ({
    page,
    account,
    browser,
    parley: { app },
  }) => {
    const elsewhere = await anotherBrowser(browser, app, account);
    const third = await anotherBrowser(browser, app, account);
    await openSection(page, "security");
    await expect(part(page, "Sessions").getByRole("listitem")).toHaveCount(3);
    await press(page, "Sign out all others").click();
    const question = page.getByRole("alertdialog");
    await expect(press(question, "Cancel")).toBeFocused();
    await press(question, "Cancel").click();
    await expect(press(page, "Sign out all others")).toBeFocused();
    await press(page, "Sign out all others").click();
    await press(question, "Sign out all others").click();
    await proveInDialog(page, account);
    await expect(page.getByText("All other sessions were signed out.")).toBeVisible();
    await expect(part(page, "Sessions").getByRole("listitem")).toHaveCount(1);
    for (const { page: left, context } of [elsewhere, third]) {
      await expect(loginTitle(left)).toBeVisible();
      await context.close();
    }
  });

  test("a session that is ended elsewhere leads from the settings to sign-in and back", async ({
    page,
    account,
    parley: { app },
  }) => {
    await openSection(page, "security");
    await expect(part(page, "Sessions").getByRole("listitem")).toHaveCount(1);
    // A request that is still running would be the first refused one, on this page.
    for (const path of [SITE_NOTICE_PATH, accountPaths.account, accountPaths.securityLog]) await answered(page, path);
    await app.call("POST", accountPaths.logout, { token: account.token });
    await page.getByRole("link", { name: "Usage" }).click();
    await expect(loginTitle(page)).toBeVisible();
    await signIn(page, account.user.username, account.password);
    await expect(page).toHaveURL("/settings/usage");
  });

  test("the list of sessions can be loaded again after an error @every-screen @proof", async ({ page, account: _ }) => {
    await answerWith(page, accountPaths.sessions, "network");
    await openSection(page, "security");
    await expect(part(page, "Sessions").getByRole("alert")).toContainText("The server could not be reached.");
    await answerNoLonger(page, accountPaths.sessions);
    await press(part(page, "Sessions"), "Try again").click();
    await expect(part(page, "Sessions").getByText("This session")).toBeVisible();
  });
});

test.describe("the list of security events", () => {
  test.use({ expectedErrors: [failedRequest(401)] });

  test("the security events are listed, newest first @every-screen @proof", async ({
    page,
    account,
    parley: { app },
  }) => {
    await app.call("POST", accountPaths.login, {
      body: { username: account.user.username, password: "a wrong guess" },
    });
    await prove(app, account);
    await openSection(page, "account");
    await field(page, "First name").fill("Augusta");
    await press(page, "Save name").click();
    await expect(page.getByText("Your name is saved.")).toBeVisible();
    await page.getByRole("link", { name: "Security" }).click();
    const lines = part(page, "Today").getByRole("listitem");
    await expect(lines.nth(0)).toContainText("Name changed");
    await expect(lines.nth(0)).toContainText(/Chrom\w+ on .+ · 127\.0\.0\.1/);
    await expect(lines.nth(1)).toContainText("Failed sign-in");
    await expect(lines.last()).toContainText("Account created");
  });

  test("further pages of security events are loaded @proof", async ({ page, account, parley: { app } }) => {
    for (let time = 0; time < SECURITY_LOG_PAGE; time++) {
      const firstname = time % 2 === 0 ? "Ada" : "Augusta";
      await app.call("PATCH", accountPaths.me, { token: account.token, body: { firstname, lastname: "Byron" } });
    }
    // The former address of the list leads to it.
    await page.goto("/settings/activity");
    await expect(page).toHaveURL("/settings/security#activity");
    await expect(page.getByRole("heading", { name: "Activity" })).toBeFocused();
    const lines = part(page, "Activity").getByRole("listitem");
    await expect(lines).toHaveCount(SECURITY_LOG_PAGE);
    await press(page, "Show more").click();
    await expect(lines.last()).toContainText("Account created");
    await expect(lines.nth(SECURITY_LOG_PAGE)).toBeFocused();
    await expect(press(page, "Show more")).toHaveCount(0);
  });
});

/** Presses Tab until the named control has the focus, and asserts that its focus ring is visible. */
async function tabTo(page: Page, name: string): Promise<void> {
  const wanted = press(page, name).or(page.getByRole("textbox", { name, exact: true }));
  for (let step = 0; step < 40; step++) {
    await page.keyboard.press("Tab");
    if (await wanted.evaluateAll((all) => all.some((each) => each === document.activeElement))) {
      await expectFocusVisible(page.locator(":focus"));
      return;
    }
  }
  throw new Error(`${name} was not reached by Tab`);
}

test("the account settings work by keyboard alone", async ({ page, account, parley: { app } }) => {
  await prove(app, account);
  await page.goto("/chat");
  await openSettings(page, "Account");
  await expect(title(page, "Account")).toBeFocused();
  await tabTo(page, "First name");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Augusta");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Your name is saved.")).toBeVisible();
  await expect(field(page, "First name")).toBeFocused();
  await tabTo(page, "Change address");
  await page.keyboard.press("Enter");
  await expect(field(page, "New email address")).toBeFocused();
  await page.keyboard.type(`keys-${account.user.email}`);
  await page.keyboard.press("Enter");
  await expect(press(page, "Change address")).toBeFocused();
  await tabTo(page, "Cancel the change");
  await page.keyboard.press("Space");
  await expect(page.getByText("The change was cancelled. Its link no longer works.")).toBeVisible();
  await expect(press(page, "Change address")).toBeFocused();
  await tabTo(page, "Delete account…");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(press(page, "Delete account…")).toBeFocused();
});
