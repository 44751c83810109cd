import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";
import { ASKS_GOOGLE, newGooglePerson, test } from "./google-server.ts";
import { field, letProofLapse, openSection, part, press, proofDialog, prove } from "./settings-screen.ts";

const google = (page: Page) => part(page, "Google");

test.use({ expectedErrors: [new RegExp(`${ASKS_GOOGLE}|status of 40[039]`)] });

test("Google is connected and disconnected again, and the focus moves to the section @every-screen", async ({
  page,
  account,
  google: scripted,
  parley: { app },
}) => {
  await prove(app, account);
  scripted.claims = newGooglePerson();
  await openSection(page, "security");
  await expect(google(page).getByText("Not connected")).toBeVisible();
  await expect(scripted.button).toBeVisible();
  await scripted.button.click();
  await expect(page.getByText("Your Google account is connected.")).toBeVisible();
  await expect(google(page).getByText("Connected", { exact: true })).toBeVisible();
  await press(page, "Disconnect").click();
  await expect(page.getByText("Your Google account is disconnected.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Google", exact: true })).toBeFocused();
  // The button uses a new nonce.
  await scripted.button.click();
  await expect(page.getByText("Your Google account is connected.")).toBeVisible();
});

test("a refused Google token is reported in the settings, and the next one works @proof", async ({
  page,
  account,
  google: scripted,
  parley,
}) => {
  await prove(parley.app, account);
  scripted.claims = newGooglePerson({ aud: "somebody-else.apps.googleusercontent.com" });
  await openSection(page, "security");
  await scripted.button.click();
  await expect(google(page).getByRole("alert")).toHaveText("Google sign-in did not work. Please try again.");
  scripted.claims = newGooglePerson();
  await expect.poll(async () => (await scripted.calls()).initialized.length).toBe(2);
  await scripted.button.click();
  await expect(page.getByText("Your Google account is connected.")).toBeVisible();
});

test("connecting Google with an expired proof asks for the password, and for Google only once @proof", async ({
  page,
  account,
  google: scripted,
  parley: { app },
}) => {
  await letProofLapse(app, account);
  scripted.claims = newGooglePerson();
  await openSection(page, "security");
  await scripted.button.click();
  await field(proofDialog(page), "Password").fill(account.password);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Your Google account is connected.")).toBeVisible();
});

test("an account with Google alone proves by it, and disconnects it after setting a password @every-screen", async ({
  page,
  google: scripted,
  parley: { app },
}) => {
  scripted.claims = newGooglePerson();
  await page.goto("/login");
  await scripted.button.click();
  await expect(page).toHaveURL("/chat");
  const user = await page.evaluate(() => JSON.parse(localStorage.getItem("user") ?? "null"));
  await letProofLapse(app, { user, token: "", password: "" });
  await openSection(page, "security");
  await expect(press(page, "Disconnect")).toBeDisabled();
  await expect(google(page).getByText("Set a password first")).toBeVisible();
  await press(page, "Set a password").click();
  await field(page, "New password").fill("correct horse battery");
  await field(page, "Repeat the new password").fill("correct horse battery");
  await press(page, "Set a password").click();
  const dialog = proofDialog(page);
  await expect(dialog.getByText("Please sign in with Google once more.")).toBeVisible();
  await expect(scripted.button).toBeVisible();
  await scripted.button.click();
  await expect(page.getByText("Your password is set. Your other sessions were signed out.")).toBeVisible();
  await press(page, "Disconnect").click();
  await expect(page.getByText("Your Google account is disconnected.")).toBeVisible();
});
