import type { Page } from "@playwright/test";
import { FORGOT_PASSWORD_SUCCESS, RESET_PASSWORD_SUCCESS } from "#contract/accounts/account-settings.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { MINUTE } from "#contract/limits.ts";
import { filedMailsTo } from "../testing/accounts/filed-mails.ts";
import { signUp } from "../testing/accounts/sign-up.ts";
import type { TestApp } from "../testing/app/start-test-app.ts";
import { chatsSettled } from "./account-menu.ts";
import { expect, failedRequest, signIn, test } from "./fixtures.ts";
import { expectTabOrder, expectUsableAtTwiceTheSize } from "./looks.ts";
import { answerNoLonger, answerWith, holdCalls, recordCalls } from "./routed-calls.ts";

const NEW_PASSWORD = "another horse battery";
const reset = (key: string) => ({ body: { key, password: NEW_PASSWORD } });
const name = (page: Page) => page.getByLabel("Email or username", { exact: true });
const password = (page: Page) => page.getByRole("textbox", { name: "New Password", exact: true });
const repeated = (page: Page) => page.getByRole("textbox", { name: "Confirm Password", exact: true });
const press = (page: Page, label: string) => page.getByRole("button", { name: label, exact: true });
const heading = (page: Page, text: string) => page.getByRole("heading", { level: 1, name: text, exact: true });

/** Returns path, query and fragment of the newest link to `path` that was mailed to an address. */
async function mailedLink(app: TestApp, address: string, path: string): Promise<string> {
  const words = (await filedMailsTo(app, address)).flatMap(({ text }) => text.match(/https?:\/\/\S+/g) ?? []);
  const links = words.map((link) => new URL(link));
  const link = links.findLast(({ pathname }) => pathname === path);
  if (!link) throw new Error(`No link to ${path} was mailed to ${address}`);
  return link.pathname + link.search + link.hash;
}

const keyOf = (link: string) => new URLSearchParams(link.split("#")[1]).get("key") ?? "";

/** Creates an account that has requested a password reset. Returns it with the mailed link. */
async function forgetful(app: TestApp) {
  const account = await signUp(app);
  await app.call("POST", accountPaths.forgotPassword, { body: { email: account.user.username } });
  return { ...account, link: await mailedLink(app, account.user.email, "/reset-password") };
}

async function setPassword(page: Page, chosen: string): Promise<void> {
  await password(page).fill(chosen);
  await repeated(page).fill(chosen);
  await press(page, "Set Password").click();
}

/** Returns the URLs of this tab's navigation history. */
async function addressesOf(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { entries } = await session.send("Page.getNavigationHistory");
  return entries.map(({ url }) => url);
}

test.describe("the password reset", () => {
  test.use({ expectedErrors: [failedRequest(401)] });

  test("E4 a mailed link sets a new password, and ends all sessions", async ({ page, browser, parley: { app } }) => {
    const { user, password: former } = await signUp(app);
    const elsewhere = await (await browser.newContext({ baseURL: app.url })).newPage();
    await elsewhere.goto("/login");
    await signIn(elsewhere, user.username, former);
    await chatsSettled(elsewhere);

    await page.goto("/login");
    await page.getByLabel("Username", { exact: true }).fill(user.username);
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await expect(page).toHaveTitle("Forgot password · Parley");
    await expect(page).toHaveURL("/forgot-password");
    await expect(name(page)).toHaveValue(user.username);
    await name(page).press("Enter");
    await expect(heading(page, "Check Your Mail")).toBeFocused();
    await expect(page.getByText(FORGOT_PASSWORD_SUCCESS, { exact: true })).toBeVisible();

    const link = await mailedLink(app, user.email, "/reset-password");
    await page.goto(link);
    await expect(page).toHaveTitle("Set a new password · Parley");
    await expect(page).toHaveURL("/reset-password");
    await setPassword(page, NEW_PASSWORD);
    await expect(page).toHaveURL("/login");
    await expect(page.getByRole("status")).toHaveText(RESET_PASSWORD_SUCCESS);
    // D6: neither the address bar nor the history contains the key.
    const key = keyOf(link);
    expect((await addressesOf(page)).filter((address) => address.includes(key))).toEqual([]);

    await expect(elsewhere.getByRole("heading", { name: "Parley Chat Login" })).toBeVisible();
    await signIn(elsewhere, user.username, former);
    await expect(elsewhere.getByRole("alert")).toHaveText("The username or password is not right.");
    await elsewhere.context().close();

    await signIn(page, user.username, NEW_PASSWORD);
    await expect(page).toHaveURL("/chat");
  });
});

test("at 200 % zoom every control of the password reset is usable @every-screen", async ({ page, parley: { app } }) => {
  const { link } = await forgetful(app);
  await page.goto("/forgot-password");
  await expect(heading(page, "Forgot Your Password?")).toBeVisible();
  const back = page.getByRole("link", { name: "Back to sign in" });
  await expectUsableAtTwiceTheSize(page, [name(page), press(page, "Send Link"), back]);
  await press(page, "Send Link").click();
  await expect(name(page)).toHaveAccessibleDescription("Email or username is required");
  await expect(name(page)).toBeFocused();
  await name(page).fill("ada");
  await name(page).press("Enter");
  await expect(heading(page, "Check Your Mail")).toBeFocused();
  await expectUsableAtTwiceTheSize(page, [press(page, "Back to sign in"), press(page, "send it again")]);
  await page.goto(link);
  await expect(password(page)).toBeVisible();
  await expectUsableAtTwiceTheSize(page, [password(page), repeated(page), press(page, "Set Password"), back]);
});

test("C2 a reset for an unknown name gets the same response as for a known one, and no mail @proof", async ({
  page,
  parley: { app },
}) => {
  await page.goto("/forgot-password?email=nobody%2Bhere%40example.org");
  await expect(name(page)).toHaveValue("nobody+here@example.org");
  await press(page, "Send Link").click();
  await expect(page.getByText(FORGOT_PASSWORD_SUCCESS, { exact: true })).toBeVisible();
  expect(await filedMailsTo(app, "nobody+here@example.org")).toEqual([]);
  await press(page, "send it again").click();
  await expect(name(page)).toHaveValue("nobody+here@example.org");
  await page.getByRole("link", { name: "Back to sign in" }).click();
  await expect(page).toHaveURL("/login");
});

test("D6 opening the mailed link consumes nothing, and its key is removed from the address", async ({
  page,
  parley: { app },
}) => {
  const { user, link } = await forgetful(app);
  for (const method of ["GET", "HEAD"]) for (let time = 0; time < 5; time += 1) await fetch(app.url + link, { method });
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.headers().referer ?? "", request.url()));
  await page.goto(link);
  await expect(password(page)).toBeVisible();
  await page.reload();
  await expect(heading(page, "Open the Link Again")).toBeVisible();
  await page.goto(link);
  await setPassword(page, NEW_PASSWORD);
  await expect(page.getByRole("status")).toHaveText(RESET_PASSWORD_SUCCESS);
  const key = keyOf(link);
  // L2: a browser does not send the fragment.
  expect(addresses.filter((address) => address.includes(key))).toEqual([]);
  expect(app.logLines.join("")).not.toContain(key);
  await signIn(page, user.username, NEW_PASSWORD);
  await expect(page).toHaveURL("/chat");
});

test.describe("D3 reset links that are no longer valid", () => {
  test.use({ expectedErrors: [failedRequest(400)] });

  for (const [fate, end] of [
    ["was used", (app: TestApp, key: string) => app.call("POST", accountPaths.resetPassword, reset(key))],
    ["has expired", (app: TestApp) => app.context.database.updateTable("email_keys").set({ expires_at: 1 }).execute()],
  ] as const) {
    test(`a reset link that ${fate} is reported, and a new one can be requested @every-screen @proof`, async ({
      page,
      parley: { app },
    }) => {
      const { user, link } = await forgetful(app);
      await end(app, keyOf(link));
      await page.goto(link);
      await expect(heading(page, "This Link No Longer Works")).toBeFocused();
      if (fate === "was used") {
        const back = page.getByRole("link", { name: "Back to sign in" });
        await expectUsableAtTwiceTheSize(page, [press(page, "Get a New Link"), back]);
      }
      await press(page, "Get a New Link").click();
      await name(page).fill(user.email);
      await press(page, "Send Link").click();
      await expect(heading(page, "Check Your Mail")).toBeVisible();
      await page.goto(await mailedLink(app, user.email, "/reset-password"));
      await setPassword(page, "a third horse battery");
      await expect(page).toHaveURL("/login");
    });
  }
});

test("a new password is set by keyboard alone, and shown on demand @every-screen", async ({
  page,
  parley: { app },
}) => {
  const { link } = await forgetful(app);
  await page.goto("/forgot-password");
  await expect(name(page)).toBeVisible();
  await name(page).focus();
  await expectTabOrder(page, [press(page, "Send Link"), page.getByRole("link", { name: "Back to sign in" })]);
  await page.goto(link);
  await password(page).focus();
  await page.keyboard.type("password1");
  // A4: a common password causes a warning, not an error.
  await expect(password(page)).toHaveAccessibleDescription(/on lists of common passwords/);
  const [show, showRepeated] = await page.getByRole("button", { name: "Show characters" }).all();
  if (!show || !showRepeated) throw new Error("Two passwords, two buttons to show them");
  await expectTabOrder(page, [show, repeated(page)]);
  await page.keyboard.type("password2");
  await expectTabOrder(page, [showRepeated, press(page, "Set Password")]);
  await expect(repeated(page)).toHaveAccessibleDescription("Passwords do not match");
  await show.press("Enter");
  await expect(password(page)).toHaveAttribute("type", "text");
  await password(page).fill(NEW_PASSWORD);
  await repeated(page).fill(NEW_PASSWORD);
  await repeated(page).press("Enter");
  await expect(page.getByRole("status")).toHaveText(RESET_PASSWORD_SUCCESS);
});

test.describe("refused and failed requests", () => {
  test.use({ expectedErrors: [/status of 429|net::ERR_/] });

  const tooOften = (seconds: number) => ({
    status: 429,
    body: JSON.stringify({ detail: "No.", error: "No.", code: "too-many-requests" }),
    contentType: "application/problem+json",
    headers: { "retry-after": String(seconds) },
  });

  test("B5 the wait for another reset is counted down, and then the button is enabled @every-screen @proof", async ({
    page,
  }) => {
    await page.route(`**${API_BASE}${accountPaths.forgotPassword}`, (route) => route.fulfill(tooOften(1800)));
    await page.clock.install();
    await page.goto("/forgot-password?email=ada");
    await press(page, "Send Link").click();
    await expect(page.getByRole("alert")).toContainText(/Please wait (29|30) minutes\./);
    await expect(press(page, "Send Link")).toBeDisabled();
    await page.clock.fastForward(15 * MINUTE);
    await expect(page.getByRole("alert")).toContainText(/Please wait (14|15) minutes\./);
    await page.clock.fastForward(15 * MINUTE);
    await expect(page.getByRole("alert")).toHaveText("You can try again now.");
    await expect(press(page, "Send Link")).toBeEnabled();
  });

  test("B1 a long wait at the sign-in offers a password reset instead @every-screen @proof", async ({ page }) => {
    await page.route(`**${API_BASE}${accountPaths.login}`, (route) => route.fulfill(tooOften(900)));
    await page.goto("/login");
    await signIn(page, "ada", "wrong words");
    await expect(page.getByRole("alert")).toContainText("Too many requests. Please wait 15 minutes.");
    await page.getByRole("link", { name: "Or set a new password" }).click();
    await expect(name(page)).toHaveValue("ada");
  });

  test("a network error loses no input of the password reset @proof", async ({ page, parley: { app } }) => {
    const { link } = await forgetful(app);
    await answerWith(page, accountPaths.resetPassword, "network");
    await page.goto(link);
    await setPassword(page, NEW_PASSWORD);
    await expect(page.getByRole("alert")).toContainText("Please check your connection");
    await answerNoLonger(page, accountPaths.resetPassword);
    await press(page, "Set Password").click();
    await expect(page.getByRole("status")).toHaveText(RESET_PASSWORD_SUCCESS);
  });
});

test.describe("mailed links about the address", () => {
  test.use({ expectedErrors: [/status of 40[01]/] });

  test("L2 mailed links confirm the new address and restore the former one after a click @every-screen @proof", async ({
    page,
    account,
    parley: { app },
  }) => {
    const { user, token, password: known } = account;
    const email = `new-${user.email}`;
    await app.call("POST", accountPaths.proof, { token, body: { password: known } });
    // The change is confirmed in the same browser; in another one it would end all sessions.
    await page.goto("/settings/account");
    await press(page, "Change address").click();
    await page.getByLabel("New email address").fill(email);
    await press(page, "Send link").click();
    await expect(page.getByText(`A mail with a link is on its way to ${email}.`)).toBeVisible();

    const confirming = recordCalls(page, accountPaths.confirmEmail);
    const held = await holdCalls(page, accountPaths.confirmEmail);
    await page.goto(await mailedLink(app, email, "/confirm-email"));
    await expect(page).toHaveTitle("Confirm email · Parley");
    await expect(heading(page, "Confirm Your New Address?")).toBeFocused();
    await expect(page).toHaveURL("/confirm-email");
    await expect(page.getByRole("definition")).toHaveText([user.username]);
    const chats = page.getByRole("link", { name: "Go to your chats" });
    await expectUsableAtTwiceTheSize(page, [press(page, "Confirm Address"), chats]);
    expect(confirming).toEqual([]);
    await press(page, "Confirm Address").click();
    await expect(press(page, "Confirming...")).toBeFocused();
    held.letGo();
    await expect(heading(page, "Address Confirmed!")).toBeFocused();
    await expectUsableAtTwiceTheSize(page, [press(page, "Go to Your Chats")]);
    expect(confirming).toHaveLength(1);
    const stored = () => page.evaluate(() => JSON.parse(localStorage.getItem("user") ?? "null")?.email);
    expect(await stored()).toBe(email);
    await press(page, "Go to Your Chats").click();
    await chatsSettled(page);

    const undo = await mailedLink(app, user.email, "/undo-email");
    await page.goto(undo);
    await expect(heading(page, "Restore Your Former Address?")).toBeFocused();
    await expectUsableAtTwiceTheSize(page, [press(page, "Restore Address")]);
    await press(page, "Restore Address").click();
    await expect(heading(page, "Address Restored")).toBeFocused();
    await expect(page).toHaveURL("/undo-email");
    await expectUsableAtTwiceTheSize(page, [press(page, "Set a New Password")]);
    expect(await page.evaluate(() => localStorage.getItem("access_token"))).toBeNull();
    await press(page, "Set a New Password").click();
    await expect(page).toHaveURL("/forgot-password");
    await expect(name(page)).toHaveValue("");

    await page.goto(undo);
    await expect(heading(page, "This Link No Longer Works")).toBeVisible();
  });

  test("an invalid link about the address is reported, without a request if it has no key @proof", async ({ page }) => {
    for (const [path, call] of [
      ["/confirm-email", accountPaths.confirmEmail],
      ["/undo-email", accountPaths.undoEmail],
    ] as const) {
      const calls = recordCalls(page, call);
      const looks = recordCalls(page, accountPaths.mailedKey);
      await page.goto(path);
      await expect(heading(page, "Open the Link Again")).toBeVisible();
      expect(looks).toEqual([]);
      for (const [count, mark] of [...["?", "#"].entries()]) {
        await page.goto(`${path}${mark}key=nothing-of-ours-${count}`);
        await expect.poll(() => looks.length).toBe(count + 1);
        await expect(heading(page, "This Link No Longer Works")).toBeVisible();
        await expect(page).toHaveURL(path);
      }
      expect(calls).toEqual([]);
    }
  });
});
