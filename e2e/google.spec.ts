import { authConfigSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { MINUTE } from "#contract/limits.ts";
import { signUp } from "../testing/accounts/sign-up.ts";
import { GOOGLE_CLIENT_ID } from "../testing/servers/key-server.ts";
import { logOut } from "./account-menu.ts";
import { expect, signIn } from "./fixtures.ts";
import { ASKS_GOOGLE, newGooglePerson, test } from "./google-server.ts";
import { expectTabOrder, expectUsableAtTwiceTheSize } from "./looks.ts";
import { answerNoLonger, answerWith, holdCalls, htmlAnswer, jsonAnswer, recordCalls } from "./routed-calls.ts";
import { SCRIPT_URL } from "./scripted-google.ts";

test.use({ expectedErrors: [new RegExp(ASKS_GOOGLE)] });

test("Google's button is reached by keyboard, creates an account at the first sign-in, and finds it at the next @every-screen", async ({
  page,
  google,
}) => {
  google.claims = newGooglePerson({ name: "Grace Brewster Hopper" });
  const config = page.waitForResponse((answer) => answer.url().endsWith(accountPaths.authConfig));
  await page.goto("/login");
  await expect(google.button).toBeVisible();
  await expect(page.getByText("or", { exact: true })).toBeVisible();
  const { googleNonce } = authConfigSchema.parse(await (await config).json());
  const { initialized, rendered, prompts } = await google.calls();
  const options = { client_id: GOOGLE_CLIENT_ID, nonce: googleNonce, ux_mode: "popup", auto_select: false };
  expect(initialized).toEqual([options]);
  expect(prompts).toBe(0);
  expect(rendered).toHaveLength(1);
  expect(rendered[0]).toMatchObject({ type: "standard", theme: "outline", text: "signin_with" });
  expect(google.downloads()).toBe(1);

  await page.getByRole("button", { name: "Sign In", exact: true }).focus();
  await expectTabOrder(page, [google.button]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/chat");
  const user = () => page.evaluate(() => JSON.parse(localStorage.getItem("user") ?? "null"));
  const first = await user();
  expect(first).toMatchObject({ email: google.claims.email, emailVerified: true });
  expect(first.username).toMatch(/^GraceBrewsterHopper\d*$/);

  await logOut(page);
  await google.button.click();
  await expect(page).toHaveURL("/chat");
  expect(await user()).toEqual(first);
});

test("in the dark theme Google's button is dark @proof", async ({ page, google }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/login");
  await expect(google.button).toBeVisible();
  expect((await google.calls()).rendered).toMatchObject([{ theme: "filled_black" }]);
});

test("the sign-in screen shows that the server verifies Google's token @every-screen @proof", async ({
  page,
  google,
}) => {
  google.claims = newGooglePerson();
  const calls = recordCalls(page, accountPaths.google);
  const held = await holdCalls(page, accountPaths.google);
  await page.goto("/login");
  await google.button.click();
  await expect(page.getByText("Signing in with Google…", { exact: true })).toBeVisible();
  await expect(google.button).toBeHidden();
  held.letGo();
  await expect(page).toHaveURL("/chat");
  expect(calls.map((call) => Object.keys(call.postDataJSON()))).toEqual([["id_token"]]);
});

test("an open sign-in screen gets a new nonce for Google before the old one expires @proof", async ({
  page,
  google,
}) => {
  google.claims = newGooglePerson();
  await page.clock.install();
  await page.goto("/login");
  await expect(google.button).toBeVisible();
  await page.clock.fastForward(9 * MINUTE);
  await expect.poll(async () => (await google.calls()).initialized.length).toBe(2);
  const [first, second] = (await google.calls()).initialized;
  expect(second?.nonce).not.toBe(first?.nonce);
  await expect(google.button).toHaveCount(1);
  await google.button.click();
  await expect(page).toHaveURL("/chat");
});

test.describe("refused Google tokens", () => {
  test.use({ expectedErrors: [new RegExp(`${ASKS_GOOGLE}|status of 4(00|09)`)] });

  test("a refused Google token is reported, and the next attempt has a new nonce @proof", async ({ page, google }) => {
    google.claims = newGooglePerson({ aud: "somebody-else.apps.googleusercontent.com" });
    await page.goto("/login");
    await google.button.click();
    await expect(page.getByRole("alert")).toHaveText("Google sign-in did not work. Please try again.");
    await expect(page).toHaveURL("/login");
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    await expect.poll(async () => (await google.calls()).initialized.length).toBe(2);
    google.claims = newGooglePerson();
    await google.button.click();
    await expect(page).toHaveURL("/chat");
  });

  test("a Google address whose account has a password requires that password @every-screen @proof", async ({
    page,
    google,
    parley: { app },
  }) => {
    const { user, password } = await signUp(app);
    google.claims = newGooglePerson({ email: user.email });
    await page.goto("/login");
    await google.button.click();
    const text = "An account with this email address exists already. Please sign in with your password.";
    await expect(page.getByRole("alert")).toHaveText(text);
    await signIn(page, user.username, password);
    await expect(page).toHaveURL("/chat");
  });
});

test.describe("responses that are not problem documents", () => {
  test.use({ expectedErrors: [new RegExp(`${ASKS_GOOGLE}|Failed to load resource`)] });

  test("a failed Google sign-in shows the response's detail, else a generic message @proof", async ({
    page,
    google,
  }) => {
    // Successive messages differ; otherwise an assertion could match the previous one.
    const cases = [
      [jsonAnswer(500, {}), "Google login failed"],
      [jsonAnswer(400, { detail: "Google is resting" }), "Google is resting"],
      [htmlAnswer(502), "Google login failed"],
    ] as const;
    await page.goto("/login");
    for (const [answer, text] of cases) {
      await answerWith(page, accountPaths.google, answer);
      await google.button.click();
      await expect(page.getByRole("alert")).toHaveText(text);
    }
    await answerWith(page, accountPaths.google, "network");
    await google.button.click();
    await expect(page.getByRole("alert")).toContainText("The server could not be reached.");
    await expect(page.getByRole("alert").getByText("Google login failed", { exact: true })).toBeVisible();
    await answerNoLonger(page, accountPaths.google);
  });
});

test.describe("a sign-in screen without Google's script", () => {
  test.use({ expectedErrors: [new RegExp(`${ASKS_GOOGLE}|Failed to load resource|The Google button is missing`)] });

  test("a missing Google script is reported, and the password still works @every-screen @proof", async ({
    page,
    parley: { app },
  }) => {
    const { user, password } = await signUp(app);
    await page.route(SCRIPT_URL, (route) => route.abort());
    await page.goto("/login");
    const text = "The Google button could not be loaded. You can sign in with your password.";
    await expect(page.getByText(text, { exact: true })).toBeVisible();
    await signIn(page, user.username, password);
    await expect(page).toHaveURL("/chat");
  });
});

test("at 200 % zoom Google's button is usable @every-screen @proof", async ({ page, google }) => {
  await page.goto("/login");
  await expect(google.button).toBeVisible();
  const link = page.getByRole("link", { name: "Create an account" });
  await expectUsableAtTwiceTheSize(page, [google.button, link]);
});

test("registration and verification do not request Google's script @proof", async ({ page, google }) => {
  for (const path of ["/register", "/verify-email"]) {
    await page.goto(path);
    await expect(page.getByRole("link", { name: "Sign in here" })).toBeVisible();
  }
  expect(google.downloads()).toBe(0);
});
