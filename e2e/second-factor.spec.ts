import type { Page } from "@playwright/test";
import { insertTestGroup, moveToGroup } from "../testing/accounts/groups.ts";
import { newestKeyFor } from "../testing/accounts/mailed-links.ts";
import { AuthenticatorApp } from "../testing/accounts/second-factor.ts";
import type { TestAccount } from "../testing/accounts/sign-up.ts";
import type { TestApp } from "../testing/app/start-test-app.ts";
import { chatsSettled, logOut } from "./account-menu.ts";
import { expect, failedRequest, signIn, test } from "./fixtures.ts";
import { field, openSection, part, press, prove, title } from "./settings-screen.ts";

test.use({ expectedErrors: [failedRequest(403)] });

const section = (page: Page) => part(page, "Second factor");
const code = (page: Page) => field(page, "Code");
const remember = (page: Page) => field(page, "Do not ask in this browser for 30 days");
/** A code of the app, `steps` of 30 seconds from now. The server accepts a code once, and also those of the next and the last step. */
const codeOf = (authenticator: AuthenticatorApp, steps: number) => authenticator.codeAt(Date.now(), steps);

/** Reads the key that the set-up shows. */
async function shownApp(page: Page): Promise<AuthenticatorApp> {
  const shown = await page.getByRole("group", { name: "Key", exact: true }).textContent();
  return new AuthenticatorApp((shown ?? "").replace(/\s/g, ""));
}

async function shownCodes(page: Page): Promise<string[]> {
  await expect(page.getByRole("heading", { name: "Your recovery codes" })).toBeFocused();
  const codes = await section(page).getByRole("listitem").allTextContents();
  expect(new Set(codes).size).toBe(10);
  return codes;
}

/** Switches the second factor on in the settings. @returns the app, and the recovery codes that were shown */
async function switchOn(page: Page, app: TestApp, account: TestAccount) {
  await prove(app, account);
  await openSection(page, "security");
  await press(section(page), "Set up").click();
  const qrCode = page.getByRole("img", { name: "QR code for the authenticator app" });
  // In the dark theme too: cameras do not read dark modules on a dark page.
  await expect(qrCode).toHaveCSS("background-color", "rgb(255, 255, 255)");
  const authenticator = await shownApp(page);
  await field(page, "Code of the app").fill(codeOf(authenticator, 0));
  await press(page, "Switch on").click();
  const codes = await shownCodes(page);
  await expect(press(page, "Done")).toBeDisabled();
  await field(page, "I have saved these codes").check();
  await press(page, "Done").click();
  await expect(page.getByText("The second factor is on.")).toBeVisible();
  return { authenticator, codes };
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Back to chats" }).click();
  await logOut(page);
}

/** Types the password, after which the second step is shown. */
async function takeFirstStep(page: Page, { user, password }: TestAccount): Promise<void> {
  await signIn(page, user.username, password);
  await expect(title(page, "One more step")).toBeVisible();
  await expect(code(page)).toBeFocused();
}

test("a second factor is set up, asked for, remembered, and switched off @every-screen", async ({
  page,
  account,
  browser,
  parley: { app },
}) => {
  const { authenticator, codes } = await switchOn(page, app, account);
  await expect(section(page).getByText("10 codes left.")).toBeVisible();
  await signOut(page);

  await takeFirstStep(page, account);
  await expect(page).toHaveURL("/login");
  expect(await page.evaluate(() => localStorage.getItem("access_token"))).toBeNull();
  await code(page).fill("12345");
  await press(page, "Sign In").click();
  await expect(code(page)).toHaveAccessibleDescription("That code is not right, or was used already.");
  await expect(code(page)).toBeFocused();
  await press(page, "Cancel").click();

  await takeFirstStep(page, account);
  await remember(page).check();
  // The sixth digit sends the code.
  await code(page).fill(codeOf(authenticator, 1));
  await expect(page).toHaveURL("/chat");
  await logOut(page);
  await signIn(page, account.user.username, account.password);
  await expect(page).toHaveURL("/chat");
  await chatsSettled(page);

  // Another browser is not remembered.
  const other = await (await browser.newContext({ baseURL: app.url })).newPage();
  await other.goto("/login");
  await takeFirstStep(other, account);
  await press(other, "Use a recovery code").click();
  const [recoveryCode = "", second = ""] = codes;
  await field(other, "Recovery code").fill(recoveryCode.toLowerCase());
  await press(other, "Sign In").click();
  await expect(other).toHaveURL("/chat");
  await other.context().close();

  await openSection(page, "security");
  await expect(section(page).getByText("9 codes left.")).toBeVisible();
  await expect(section(page).getByText("1 browser is not asked for a code.")).toBeVisible();
  await press(page, "Ask again everywhere").click();
  await expect(page.getByText("Every browser is asked for a code again.")).toBeVisible();
  await press(page, "New recovery codes").click();
  await code(page).fill(second);
  await press(page, "New recovery codes").click();
  const renewed = await shownCodes(page);
  expect(renewed.filter((one) => codes.includes(one))).toEqual([]);
  await field(page, "I have saved these codes").check();
  await press(page, "Done").click();
  await expect(page.getByText("You have new recovery codes.")).toBeVisible();

  await press(section(page), "Switch off").click();
  await code(page).fill(codes[2] ?? "");
  await press(section(page), "Switch off").click();
  await expect(code(page)).toHaveAccessibleDescription("That code is not right, or was used already.");
  await code(page).fill(renewed[0] ?? "");
  await press(section(page), "Switch off").click();
  await expect(page.getByText("The second factor is off.")).toBeVisible();
  await signOut(page);
  await signIn(page, account.user.username, account.password);
  await expect(page).toHaveURL("/chat");
});

test("a required second factor is set up at the next sign-in, and cannot be switched off @every-screen", async ({
  page,
  account,
  browser,
  parley: { app },
}) => {
  await moveToGroup(app, await insertTestGroup(app, { needs_second_factor: 1 }), account);
  const visitor = await (await browser.newContext({ baseURL: app.url })).newPage();
  await visitor.goto("/settings/security");
  await signIn(visitor, account.user.username, account.password);
  await expect(title(visitor, "Set Up a Second Factor")).toBeVisible();
  await press(visitor, "Set Up").click();
  const authenticator = await shownApp(visitor);
  await field(visitor, "Code of the app").fill("000000");
  await press(visitor, "Switch on").click();
  await expect(field(visitor, "Code of the app")).toHaveAccessibleDescription(
    "That code is not right, or was used already.",
  );
  expect(await visitor.evaluate(() => localStorage.getItem("access_token"))).toBeNull();
  await field(visitor, "Code of the app").fill(codeOf(authenticator, 0));
  await press(visitor, "Switch on").click();
  await expect(visitor.getByRole("heading", { name: "Your recovery codes" })).toBeFocused();
  await expect(visitor.getByRole("listitem")).toHaveCount(10);
  await field(visitor, "I have saved these codes").check();
  await press(visitor, "Done").click();
  await expect(visitor).toHaveURL("/settings/security");
  await expect(section(visitor).getByText("Your account must have one.")).toBeVisible();
  await expect(press(section(visitor), "Switch off")).toHaveCount(0);
  await visitor.context().close();

  // An earlier session goes on, and the next sign-in asks for a code.
  await page.goto("/chat");
  await chatsSettled(page);
  await logOut(page);
  await takeFirstStep(page, account);
  await code(page).fill(codeOf(authenticator, 1));
  await expect(page).toHaveURL("/chat");
});

test("a lost second factor ends by a mailed link, and the owner keeps it by mail or in the settings @every-screen", async ({
  page,
  account,
  browser,
  parley: { app },
}) => {
  const { email } = account.user;
  await switchOn(page, app, account);
  const visitor = await (await browser.newContext({ baseURL: app.url })).newPage();

  const reportLoss = async () => {
    await visitor.goto("/login");
    await takeFirstStep(visitor, account);
    await press(visitor, "Use a recovery code").click();
    await press(visitor, "I have lost my app and my codes").click();
    await press(visitor, "Mail me the link").click();
    await expect(visitor.getByText("A mail with a link is on its way to the address of your account.")).toBeVisible();
    await visitor.goto(`/lose-factor#key=${await newestKeyFor(app, "lose-factor", email)}`);
    await expect(title(visitor, "Have You Lost Your Second Factor?")).toBeFocused();
    await expect(visitor).toHaveURL("/lose-factor");
    await press(visitor, "I Have Lost It").click();
    await expect(title(visitor, "The Second Factor Will End")).toBeFocused();
    await press(visitor, "Go to Sign In").click();
    await expect(visitor).toHaveURL("/login");
  };

  await reportLoss();
  await page.reload();
  const end = /reported your app and your codes as lost\. The second factor ends /;
  await expect(section(page).getByText(end)).toBeVisible();
  // Every signed-in page reports it.
  const notices = page.getByRole("region", { name: "Notifications" });
  await expect(notices.getByText(end)).toBeVisible();
  await press(section(page), "Keep it").click();
  await expect(page.getByText("The second factor stays.")).toBeVisible();
  await expect(notices.getByText(end)).toHaveCount(0);
  await expect(press(section(page), "Keep it")).toHaveCount(0);

  await reportLoss();
  const link = `/keep-factor#key=${await newestKeyFor(app, "keep-factor", email)}`;
  await visitor.goto(link);
  await expect(title(visitor, "Keep Your Second Factor?")).toBeFocused();
  await press(visitor, "Keep It").click();
  await expect(title(visitor, "The Second Factor Stays")).toBeFocused();
  await visitor.goto("/login");
  await visitor.goto(link);
  await expect(title(visitor, "This Link No Longer Works")).toBeVisible();
  await page.reload();
  await expect(section(page).getByText("10 codes left.")).toBeVisible();
  await expect(press(section(page), "Keep it")).toHaveCount(0);

  await reportLoss();
  // The wait is over.
  await app.context.database
    .updateTable("lost_factors")
    .set({ ends_at: 1 })
    .where("user_id", "=", account.user.id)
    .execute();
  await signIn(visitor, account.user.username, account.password);
  await expect(visitor).toHaveURL("/chat");
  await visitor.context().close();
});

test("a second factor is set up and used by the keyboard only", async ({ page, account, parley: { app } }) => {
  await prove(app, account);
  await openSection(page, "security");
  const { keyboard } = page;
  const tabTo = async (label: string) => {
    const isThere = () => page.evaluate((name) => document.activeElement?.textContent === name, label);
    for (let count = 0; count < 40 && !(await isThere()); count++) await keyboard.press("Tab");
    await expect(press(page, label)).toBeFocused();
  };
  await tabTo("Set up");
  await keyboard.press("Enter");
  await expect(field(page, "Code of the app")).toBeFocused();
  const authenticator = await shownApp(page);
  await keyboard.type(codeOf(authenticator, 0));
  await keyboard.press("Enter");
  await shownCodes(page);
  for (const label of ["Copy", "Print", "Save as file"]) {
    await keyboard.press("Tab");
    await expect(press(page, label)).toBeFocused();
  }
  await keyboard.press("Tab");
  await expect(field(page, "I have saved these codes")).toBeFocused();
  await keyboard.press("Space");
  await keyboard.press("Tab");
  await keyboard.press("Enter");
  await expect(section(page).getByRole("heading", { level: 2 })).toBeFocused();
  await signOut(page);

  await field(page, "Username").focus();
  await keyboard.type(account.user.username);
  await field(page, "Password").focus();
  await keyboard.type(account.password);
  await keyboard.press("Enter");
  await expect(code(page)).toBeFocused();
  await keyboard.press("Tab");
  await expect(remember(page)).toBeFocused();
  await keyboard.press("Shift+Tab");
  await keyboard.type(codeOf(authenticator, 1));
  await expect(page).toHaveURL("/chat");
});
