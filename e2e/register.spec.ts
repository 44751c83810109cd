import type { Page } from "@playwright/test";
import { accountPaths } from "#contract/accounts/paths.ts";
import { filedMails, mailedKey } from "../testing/accounts/filed-mails.ts";
import { newPerson, signUp } from "../testing/accounts/sign-up.ts";
import { expect, fillRegistration, test } from "./fixtures.ts";
import { holdTimers } from "./held-timers.ts";
import { expectTabOrder, movingThings } from "./looks.ts";
import { answerNoLonger, answerWith, holdCalls, htmlAnswer, jsonAnswer, recordCalls } from "./routed-calls.ts";

const labels = ["First Name", "Last Name", "Username", "Email", "Password", "Confirm Password"] as const;
const field = (page: Page, label: (typeof labels)[number]) => page.getByLabel(label, { exact: true });
const submit = (page: Page) => page.getByRole("button", { name: "Create Account", exact: true });
const signInLink = (page: Page) => page.getByRole("link", { name: "Sign in here", exact: true });
const letters = (count: number) => "a".repeat(count);

/** Creates a person with a unique username of letters and digits only, as the form requires. */
const person = (word: string) => newPerson({ username: word + test.info().testId.replace(/\W/g, "").slice(0, 12) });

test("the registration screen shows its fields, and no error yet @every-screen @proof", async ({ page }) => {
  await page.goto("/register");
  await expect(page).toHaveTitle("Create account · Parley");
  await expect(page.getByRole("heading", { name: "Create Account", exact: true })).toBeVisible();
  const completions = ["given-name", "family-name", "username", "email", "new-password", "new-password"];
  for (const [at, label] of labels.entries()) {
    await expect(field(page, label)).toHaveValue("");
    await expect(field(page, label)).toHaveAttribute("autocomplete", completions[at] ?? "");
    await expect(field(page, label)).not.toHaveAttribute("aria-invalid", "true");
  }
  await expect(submit(page)).toBeDisabled();
  await expect(page.getByText("Already have an account? Sign in here", { exact: true })).toBeVisible();
  await signInLink(page).click();
  await expect(page).toHaveURL("/login");
});

test("an email address in the query is filled in and can be edited @proof", async ({ page }) => {
  await page.goto("/register?email=ada%2Bchat%40example.org");
  await expect(field(page, "Email")).toHaveValue("ada+chat@example.org");
  await expect(field(page, "First Name")).toHaveValue("");
  await field(page, "Email").fill("charles@example.org");
  await expect(field(page, "Email")).toHaveValue("charles@example.org");
});

const wrong: Record<(typeof labels)[number], [value: string, text: string][]> = {
  "First Name": [
    ["", "Firstname is required"],
    ["A", "Firstname must be at least 2 characters"],
    [letters(31), "Firstname must be no more than 30 characters"],
    ["Ada1", "Firstname must contain only letters (no numbers or special characters)"],
    ["Åda", "Firstname must contain only letters (no numbers or special characters)"],
  ],
  "Last Name": [
    ["", "Lastname is required"],
    ["L", "Lastname must be at least 2 characters"],
    [letters(31), "Lastname must be no more than 30 characters"],
    ["Love lace", "Lastname must contain only letters (no numbers or special characters)"],
  ],
  Username: [
    ["", "Username is required"],
    ["ab", "Username must be at least 3 characters"],
    [letters(31), "Username must be no more than 30 characters"],
    ["ada lovelace", "Username must contain only letters and numbers (no spaces or special characters)"],
    ["ada-1", "Username must contain only letters and numbers (no spaces or special characters)"],
  ],
  Email: [
    ["", "Email is required"],
    ["ada", "Please enter a valid email address"],
    ["ada@", "Please enter a valid email address"],
    ["ada@example", "Please enter a valid email address"],
  ],
  Password: [
    ["", "Password is required"],
    ["1234567", "Password must be at least 8 characters"],
  ],
  "Confirm Password": [
    ["", "ConfirmPassword is required"],
    ["another password", "Passwords do not match"],
  ],
};

test("an invalid value is reported below its field once the field was left @proof", async ({ page }) => {
  await page.goto("/register");
  const right = newPerson();
  await fillRegistration(page, right);
  await expect(submit(page)).toBeEnabled();
  for (const label of labels) {
    await test.step(label, async () => {
      const input = field(page, label);
      for (const [value, text] of wrong[label]) {
        await input.fill(value);
        await input.blur();
        await expect(input).toHaveAccessibleDescription(text);
        await expect(input).toHaveAttribute("aria-invalid", "true");
        await expect(submit(page)).toBeDisabled();
      }
      // Another password makes the repeated one wrong too.
      await expect(page.locator("[aria-invalid=true]")).toHaveCount(label === "Password" ? 2 : 1);
      await fillRegistration(page, right);
      await expect(page.locator("[aria-invalid=true]")).toHaveCount(0);
      await expect(submit(page)).toBeEnabled();
    });
  }
});

test("the shortest and the longest names are accepted @proof", async ({ page }) => {
  await page.goto("/register");
  const shortest = { firstname: "Bo", lastname: "Ek", username: "bo1", password: "12345678" };
  await fillRegistration(page, newPerson({ ...shortest, email: "b@example.org" }));
  await expect(submit(page)).toBeEnabled();
  const longest = { firstname: letters(30), lastname: letters(30), username: letters(30) };
  await fillRegistration(page, newPerson({ ...longest, email: "b@example.org" }));
  await expect(submit(page)).toBeEnabled();
});

test("an error appears when its field is left, and disappears while it is corrected @proof", async ({ page }) => {
  await page.goto("/register");
  await field(page, "First Name").pressSequentially("A1");
  await expect(submit(page)).toBeDisabled();
  await expect(page.locator("[aria-invalid=true]")).toHaveCount(0);
  await page.keyboard.press("Tab");
  const text = "Firstname must contain only letters (no numbers or special characters)";
  await expect(page.getByText(text)).toBeVisible();
  await expect(page.locator("[aria-invalid=true]")).toHaveCount(1);
  await field(page, "First Name").press("End");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("da");
  await expect(page.getByText(text)).toHaveCount(0);
});

test("Enter in an incomplete form reports everything that is missing and sends nothing @every-screen @proof", async ({
  page,
}) => {
  const calls = recordCalls(page, accountPaths.register);
  await page.goto("/register");
  await field(page, "Username").press("Enter");
  for (const label of labels) await expect(field(page, label)).toHaveAccessibleDescription(wrong[label][0]?.[1] ?? "");
  await expect(field(page, "First Name")).toBeFocused();
  expect(calls).toHaveLength(0);
});

test("changing the password invalidates the repeated one @proof", async ({ page }) => {
  await page.goto("/register");
  await fillRegistration(page, newPerson());
  await field(page, "Confirm Password").blur();
  await field(page, "Password").fill("another horse battery");
  await expect(field(page, "Confirm Password")).toHaveAccessibleDescription("Passwords do not match");
  await expect(submit(page)).toBeDisabled();
});

test("registering sends the values without the repeated password, and asks to check the mail @every-screen @proof", async ({
  page,
  parley: { app },
}) => {
  const typed = person("new");
  const calls = recordCalls(page, accountPaths.register);
  const held = await holdCalls(page, accountPaths.register);
  await page.goto("/register");
  await fillRegistration(page, typed);
  await submit(page).click();
  await expect(page.getByRole("button", { name: "Creating Account...", exact: true })).toBeDisabled();
  expect(await movingThings(page)).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await expect.poll(() => movingThings(page)).toBe(0);
  held.letGo();

  await expect(page.getByRole("heading", { name: "Registration Successful!", exact: true })).toBeFocused();
  const text = "Please check your email and click the verification link to activate your account.";
  await expect(page.getByText(text, { exact: true })).toBeVisible();
  // The journeys have no mail server.
  await expect(page.getByText("its administrator finds the link on the server’s console")).toBeVisible();
  await expect(page.getByRole("textbox")).toHaveCount(0);
  expect(calls.map((call) => call.postDataJSON())).toEqual([typed]);
  expect((await filedMails(app)).filter(({ to }) => to === typed.email)).toHaveLength(1);
  await page.getByRole("button", { name: "Go to Login", exact: true }).click();
  await expect(page).toHaveURL("/login");
});

test("registering an address that has an account gets the same response, and its owner a mail @proof", async ({
  page,
  parley,
}) => {
  const { user } = await signUp(parley.app);
  await page.goto("/register");
  await fillRegistration(page, { ...person("second"), email: user.email });
  await submit(page).click();
  await expect(page.getByRole("heading", { name: "Registration Successful!" })).toBeVisible();
  const mails = (await filedMails(parley.app)).filter(({ to }) => to === user.email);
  expect(mails.at(-1)?.text).not.toContain("/verify-email?key=");
});

test.describe("a registration that the server refuses", () => {
  test.use({ expectedErrors: [/status of 4(00|09)/] });

  test("a taken username is reported, the input stays, and another name works @every-screen @proof", async ({
    page,
    parley,
  }) => {
    const { user } = await signUp(parley.app);
    const typed = person("other");
    await page.goto("/register");
    await fillRegistration(page, { ...typed, username: user.username });
    await submit(page).click();
    await expect(page.getByRole("alert")).toHaveText("This username is already taken.");
    await expect(field(page, "Email")).toHaveValue(typed.email);
    await expect(field(page, "Password")).toHaveValue(typed.password);
    await field(page, "Username").fill(typed.username);
    await submit(page).click();
    await expect(page.getByRole("heading", { name: "Registration Successful!" })).toBeVisible();
  });

  test("a rule that only the server checks is reported at the field of the registration @proof", async ({ page }) => {
    const issues = [{ field: "password", rule: "min", n: 12, message: "" }];
    const sentence = "Please check what you entered.";
    const problem = { detail: sentence, error: sentence, code: "invalid-input", issues };
    await answerWith(page, accountPaths.register, jsonAnswer(400, problem));
    await page.goto("/register");
    await fillRegistration(page, newPerson());
    await submit(page).click();
    await expect(page.getByRole("alert")).toHaveText(sentence);
    await expect(field(page, "Password")).toHaveAccessibleDescription("Password must be at least 12 characters");
  });
});

test.describe("responses that are not problem documents", () => {
  test.use({ expectedErrors: [/Failed to load resource/] });

  test("a failed registration shows the response's detail, else a generic message @proof", async ({ page }) => {
    const cases = [
      [jsonAnswer(400, { detail: "Registration is resting" }), "Registration is resting"],
      [jsonAnswer(400, { detail: { message: "Registration is moving" } }), "Registration is moving"],
      [jsonAnswer(500, { error: "E_17" }), "Registration failed"],
      [htmlAnswer(502), "Registration failed"],
    ] as const;
    for (const [answer, text] of cases) {
      await page.goto("/register");
      await fillRegistration(page, newPerson());
      await answerWith(page, accountPaths.register, answer);
      await submit(page).click();
      await expect(page.getByRole("alert")).toHaveText(text);
    }
  });

  test("a network error loses no input of the registration, and the next attempt works @proof", async ({ page }) => {
    const typed = person("patient");
    await answerWith(page, accountPaths.register, "network");
    await page.goto("/register");
    await fillRegistration(page, typed);
    await submit(page).click();
    const alert = page.getByRole("alert");
    await expect(alert.getByText("Registration failed", { exact: true })).toBeVisible();
    await expect(alert).toContainText("The server could not be reached. Please check your connection and try again.");
    await answerNoLonger(page, accountPaths.register);
    await submit(page).click();
    await expect(page.getByRole("heading", { name: "Registration Successful!" })).toBeVisible();
  });
});

test("a closed registration is reported instead of showing the form @every-screen @proof", async ({ page }) => {
  const config = { productName: "Parley", passwordMin: 8, passwordPolicy: "plain", registrationOpen: false };
  await answerWith(page, accountPaths.authConfig, jsonAnswer(200, config));
  await page.goto("/register");
  await expect(page.getByText("New accounts are not open here. Please ask the administrator.")).toBeVisible();
  await expect(page.getByRole("textbox")).toHaveCount(0);
  await signInLink(page).click();
  await expect(page.getByRole("heading", { name: "Parley Chat Login" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Create an account" })).toHaveCount(0);
});

test("registration and verification work by keyboard alone @every-screen", async ({
  page,
  isMobile,
  parley: { app },
}) => {
  const typed = person("keys");
  const values = [typed.firstname, typed.lastname, typed.username, typed.email, typed.password, typed.password];
  await page.goto("/register");
  await expect(field(page, "First Name")).toBeVisible();
  for (const [at, label] of labels.entries()) {
    await expectTabOrder(page, [field(page, label)]);
    await page.keyboard.type(values[at] ?? "");
    const eye = field(page, label).locator("..").getByRole("button", { name: "Show characters" });
    if (label.endsWith("Password")) await expectTabOrder(page, [eye]);
  }
  const classCode = page.getByRole("button", { name: "I have a class code" });
  await expectTabOrder(page, [submit(page), classCode, signInLink(page)]);
  await field(page, "Confirm Password").press("Enter");
  await expect(page.getByRole("heading", { name: "Registration Successful!" })).toBeFocused();
  // The server has no mail server: the key comes first.
  const enterKey = page.getByRole("button", { name: "Enter the Key" });
  await expectTabOrder(page, [enterKey, page.getByRole("button", { name: "Go to Login" })]);
  await page.keyboard.press("Enter");
  const heading = page.getByRole("heading", { name: "Parley Chat Login" });
  await expect(isMobile ? heading : field(page, "Username")).toBeFocused();

  // Holds the redirect to the chats.
  await holdTimers(page, 2000);
  await page.goto(`/verify-email?email=${encodeURIComponent(typed.email)}`);
  const key = page.getByLabel("Verification Key", { exact: true });
  await expect(key).toBeVisible();
  await expectTabOrder(page, [key]);
  await page.keyboard.type(await mailedKey(app, typed.email));
  const verify = page.getByRole("button", { name: "Verify Email", exact: true });
  const resend = page.getByRole("button", { name: "Resend verification email", exact: true });
  await expectTabOrder(page, [verify, resend, signInLink(page)]);
  await key.press("Enter");
  await expect(page.getByRole("heading", { name: "Email Verified Successfully!", exact: true })).toBeFocused();
});
