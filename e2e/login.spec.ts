import type { Page } from "@playwright/test";
import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { mailedKey } from "../testing/accounts/filed-mails.ts";
import { newPerson, signUp } from "../testing/accounts/sign-up.ts";
import { expect, failedRequest, signIn, test } from "./fixtures.ts";
import { holdTimers } from "./held-timers.ts";
import { expectNoOverhang, expectTabOrder, expectUsableAtTwiceTheSize, movingThings } from "./looks.ts";
import { answerNoLonger, answerWith, holdCalls, htmlAnswer, jsonAnswer, recordCalls } from "./routed-calls.ts";

const username = (page: Page) => page.getByLabel("Username", { exact: true });
const password = (page: Page) => page.getByLabel("Password", { exact: true });
const submit = (page: Page) => page.getByRole("button", { name: "Sign In", exact: true });
const stored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key);

test("the sign-in screen shows its purpose and its fields @every-screen @proof", async ({ page }) => {
  await page.goto("/login");
  await expect(page).toHaveTitle("Sign in · Parley");
  await expect(page.getByRole("heading", { name: "Parley Chat Login", exact: true })).toBeVisible();
  await expect(page.getByText("Welcome back! Please sign in to your account.", { exact: true })).toBeVisible();
  await expect(username(page)).toHaveAttribute("placeholder", "Enter your username");
  await expect(username(page)).toHaveAttribute("autocomplete", "username");
  await expect(password(page)).toHaveAttribute("placeholder", "Enter your password");
  await expect(password(page)).toHaveAttribute("type", "password");
  await expect(password(page)).toHaveAttribute("autocomplete", "current-password");
  await expect(submit(page)).toBeEnabled();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByText("or", { exact: true })).toHaveCount(0);

  await page.getByRole("link", { name: "Create an account" }).click();
  await expect(page).toHaveURL("/register");
});

test("the root URL leads to sign-in, and from there to the chats @proof", async ({ page, parley }) => {
  const { user, password: secret } = await signUp(parley.app);
  await page.goto("/");
  await expect(page).toHaveURL("/login");
  await signIn(page, user.username, secret);
  await expect(page).toHaveURL("/chat");
  await expect(page.getByPlaceholder("Message ChatGPT...")).toBeVisible();
  const keys = await page.evaluate(() => Object.keys(localStorage).filter((key) => !key.startsWith("events:")));
  expect(keys.sort()).toEqual(["access_token", "user"]);
  expect(JSON.parse((await stored(page, "user")) ?? "")).toEqual(user);
  expect((await stored(page, "access_token"))?.split(".")).toHaveLength(3);
});

test("a chat's URL is opened after signing in", async ({ page, parley: { app } }) => {
  const { user, password: secret, token } = await signUp(app);
  const { id } = await (await app.call("POST", conversationPaths.chats, { token })).json();
  await page.goto(`/chat?c=${id}`);
  await expect(page).toHaveURL("/login");
  await signIn(page, user.username, secret);
  await expect(page).toHaveURL(`/chat?c=${id}`);
});

test("a signed-in person does not see the sign-in screen @proof", async ({ page, account }) => {
  await page.goto("/login");
  await expect(page).toHaveURL("/chat");
  await expect(page.getByPlaceholder("Message ChatGPT...")).toBeVisible();
  expect(JSON.parse((await stored(page, "user")) ?? "")).toEqual(account.user);
});

test("a username is case-insensitive @proof", async ({ page, parley }) => {
  const { user, password: secret } = await signUp(parley.app);
  await page.goto("/login");
  await signIn(page, user.username.toUpperCase(), secret);
  await expect(page).toHaveURL("/chat");
});

test("a sign-in without a value is reported at its field, and nothing is sent @every-screen @proof", async ({
  page,
}) => {
  const calls = recordCalls(page, accountPaths.login);
  await page.goto("/login");
  await submit(page).click();
  await expect(username(page)).toHaveAccessibleDescription("Username is required");
  await expect(password(page)).toHaveAccessibleDescription("Password is required");
  await expect(username(page)).toBeFocused();

  await username(page).fill("ada");
  await expect(page.getByText("Username is required")).toHaveCount(0);
  await username(page).press("Enter");
  await expect(password(page)).toBeFocused();
  await expect(password(page)).toHaveAccessibleDescription("Password is required");
  expect(calls).toHaveLength(0);
});

test("while a sign-in runs, the button shows that it is busy and accepts no second press @every-screen @proof", async ({
  page,
  parley,
}) => {
  const { user, password: secret } = await signUp(parley.app);
  const calls = recordCalls(page, accountPaths.login);
  const held = await holdCalls(page, accountPaths.login);
  await page.goto("/login");
  await signIn(page, user.username, secret);
  const busy = page.getByRole("button", { name: "Signing in...", exact: true });
  await expect(busy).toBeDisabled();
  expect(await movingThings(page)).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await expect.poll(() => movingThings(page)).toBe(0);
  await password(page).press("Enter");
  held.letGo();
  await expect(page).toHaveURL("/chat");
  expect(calls.map((call) => call.postDataJSON())).toEqual([{ username: user.username, password: secret }]);
});

test.describe("a sign-in with refused credentials", () => {
  test.use({ expectedErrors: [failedRequest(401)] });

  test("a wrong password and an unknown name get the same message, and nothing is stored @every-screen @proof", async ({
    page,
    parley,
  }) => {
    const { user, password: secret } = await signUp(parley.app);
    await page.goto("/login");
    await signIn(page, user.username, "not the password");
    await expect(page.getByRole("alert")).toHaveText("The username or password is not right.");
    await expect(password(page)).toBeFocused();
    await expect(submit(page)).toBeEnabled();
    expect(await page.evaluate(() => localStorage.length)).toBe(0);

    await signIn(page, "nobodyofthatname", secret);
    await expect(page.getByRole("alert")).toHaveText("The username or password is not right.");
    await expect(page).toHaveURL("/login");

    await signIn(page, user.username, secret);
    await expect(page).toHaveURL("/chat");
  });
});

test.describe("a sign-in before the address is verified", () => {
  test.use({ expectedErrors: [failedRequest(403)] });

  test("the right password of an unverified account leads to verification, where the username suffices for a new mail @proof", async ({
    page,
    parley: { app },
  }) => {
    const person = newPerson({ username: `Pending${test.info().workerIndex}` });
    await app.call("POST", accountPaths.register, { body: person });
    const first = await mailedKey(app, person.email);

    await holdTimers(page, 2000);
    await page.goto("/login");
    await signIn(page, person.username, person.password);
    await expect(page).toHaveURL(`/verify-email?email=${person.username}`);
    await expect(page.getByText(`Please enter the verification key sent to ${person.username}`)).toBeVisible();
    expect(await stored(page, "access_token")).toBeNull();

    await page.getByRole("button", { name: "Resend verification email" }).click();
    await expect(page.getByText("Verification email sent successfully!", { exact: true })).toBeVisible();
    const second = await mailedKey(app, person.email);
    expect(second).not.toBe(first);
    await page.getByLabel("Verification Key").fill(second);
    await page.getByRole("button", { name: "Verify Email", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Email Verified Successfully!" })).toBeVisible();
  });
});

test("a sign-in answered with emailVerified false leads to verification, signed out @proof", async ({
  page,
  parley,
}) => {
  const { token, user } = await signUp(parley.app);
  await answerWith(page, accountPaths.login, jsonAnswer(200, { access_token: token, user, emailVerified: false }));
  await page.goto("/login");
  await signIn(page, "ada & charles+1", "secret");
  await expect(page.getByRole("heading", { name: "Verify Your Email" })).toBeVisible();
  expect(new URL(page.url()).searchParams.get("email")).toBe("ada & charles+1");
  expect(await stored(page, "access_token")).toBeNull();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Parley Chat Login" })).toBeVisible();
});

test.describe("responses that are not problem documents", () => {
  test.use({ expectedErrors: [/Failed to load resource/] });

  test("a sign-in error whose detail has email_verified false leads to verification @proof", async ({ page }) => {
    await answerWith(page, accountPaths.login, jsonAnswer(401, { detail: { email_verified: false } }));
    await page.goto("/login");
    await signIn(page, "ada", "secret");
    await expect(page).toHaveURL("/verify-email?email=ada");
  });

  test("a failed sign-in shows detail.message, else detail, else a generic message @proof", async ({ page }) => {
    const cases = [
      [jsonAnswer(400, { detail: { message: "Accounts are moving house" } }), "Accounts are moving house"],
      [jsonAnswer(401, { detail: "Not today" }), "Not today"],
      [jsonAnswer(418, {}), "Login failed"],
      [jsonAnswer(500, { detail: { reason: 7 } }), "Login failed"],
      [htmlAnswer(502), "Login failed"],
      [{ status: 500 }, "Login failed"],
    ] as const;
    for (const [answer, text] of cases) {
      await page.goto("/login");
      await answerWith(page, accountPaths.login, answer);
      await signIn(page, "ada", "secret");
      await expect(page.getByRole("alert")).toHaveText(text);
    }
    await expect(page).toHaveURL("/login");
  });

  test("a network error at the sign-in is reported, and the next attempt works @every-screen @proof", async ({
    page,
    parley,
  }) => {
    const { user, password: secret } = await signUp(parley.app);
    await answerWith(page, accountPaths.login, "network");
    await page.goto("/login");
    await signIn(page, user.username, secret);
    const alert = page.getByRole("alert");
    await expect(alert.getByText("Login failed", { exact: true })).toBeVisible();
    await expect(alert).toContainText("The server could not be reached. Please check your connection and try again.");
    await answerNoLonger(page, accountPaths.login);
    await expect(username(page)).toHaveValue(user.username);
    await expect(password(page)).toHaveValue(secret);
    await submit(page).click();
    await expect(page).toHaveURL("/chat");
  });
});

test("sign-in works by keyboard alone @every-screen", async ({ page, parley, isMobile }) => {
  const { user, password: secret } = await signUp(parley.app);
  await page.goto("/login");
  await expect(submit(page)).toBeVisible();
  // A phone has no autofocus: its keyboard would cover the page before it was seen.
  if (isMobile) await page.keyboard.press("Tab");
  await expect(username(page)).toBeFocused();
  await page.keyboard.type(user.username);
  await expectTabOrder(page, [password(page)]);
  await page.keyboard.type(secret);
  await expectTabOrder(page, [page.getByRole("button", { name: "Show characters" })]);
  await page.keyboard.press("Space");
  await expect(password(page)).toHaveAttribute("type", "text");
  await expect(password(page)).toHaveValue(secret);
  await page.keyboard.press("Space");
  await expect(password(page)).toHaveAttribute("type", "password");
  const forgot = page.getByRole("link", { name: "Forgot your password?" });
  await expectTabOrder(page, [forgot, submit(page), page.getByRole("link", { name: "Create an account" })]);
  await password(page).press("Enter");
  await expect(page).toHaveURL("/chat");
});

test("at 200 % zoom every control of sign-in, registration and verification is usable @every-screen", async ({
  page,
}) => {
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const link = (name: string) => page.getByRole("link", { name, exact: true });
  await test.step("sign-in", async () => {
    await page.goto("/login");
    await expect(link("Create an account")).toBeVisible();
    const links = [link("Forgot your password?"), link("Create an account")];
    await expectUsableAtTwiceTheSize(page, [username(page), password(page), submit(page), ...links]);
  });
  await test.step("registration with an error at each field", async () => {
    await page.goto("/register");
    await page.getByLabel("Email", { exact: true }).press("Enter");
    await expect(page.getByText("Email is required")).toBeVisible();
    const labels = ["First Name", "Last Name", "Username", "Email", "Password", "Confirm Password"];
    const fields = labels.map((label) => page.getByLabel(label, { exact: true }));
    await expectUsableAtTwiceTheSize(page, [...fields, button("Create Account"), link("Sign in here")]);
  });
  await test.step("verification of a long address, which wraps", async () => {
    await page.goto(`/verify-email?email=${"long".repeat(15)}@${"mail".repeat(15)}.example.org`);
    await expect(button("Verify Email")).toBeVisible();
    await page.setViewportSize({ width: 320, height: 640 });
    await expectNoOverhang(page);
    const key = page.getByLabel("Verification Key", { exact: true });
    const controls = [key, button("Verify Email"), button("Resend verification email"), link("Sign in here")];
    await expectUsableAtTwiceTheSize(page, controls);
  });
});

test('an unknown URL shows a "not found" page with a link to the chats @every-screen @proof', async ({ page }) => {
  await page.goto("/nowhere");
  await expect(page.getByRole("heading", { name: "There is nothing here" })).toBeVisible();
  await page.getByRole("link", { name: "Go to your chats" }).click();
  await expect(page).toHaveURL("/login");
});
