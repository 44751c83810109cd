import type { Page } from "@playwright/test";
import { switchSecondFactorOn } from "../testing/accounts/second-factor.ts";
import { chatsSettled, logOut } from "./account-menu.ts";
import { expect, failedRequest, signIn } from "./fixtures.ts";
import { test } from "./passkey-server.ts";
import { loginTitle, openSection, part, press, proofDialog, prove, proveInDialog, title } from "./settings-screen.ts";

test.use({ expectedErrors: [failedRequest(403)] });

const section = (page: Page) => part(page, "Passkeys");
const rows = (page: Page) => section(page).getByRole("button", { name: "Remove" });

async function addPasskey(page: Page): Promise<void> {
  await press(section(page), "Add a passkey").click();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Back to chats" }).click();
  await logOut(page);
  await expect(loginTitle(page)).toBeVisible();
}

/** The virtual authenticator would choose a suggestion before a button is pressed. */
const withoutSuggestions = (page: Page) =>
  page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });

test("a passkey is added with a proof, and signs in without a name, by the button @phone", async ({
  page,
  account,
  authenticator: _,
}) => {
  await withoutSuggestions(page);
  await openSection(page, "security");
  await expect(section(page).getByText("No passkeys yet.")).toBeVisible();
  await addPasskey(page);
  await proveInDialog(page, account);
  await expect(section(page).getByText("The passkey was added.")).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  await expect(part(page, "Ways to sign in").getByText("Passkeys")).toBeVisible();
  await signOut(page);
  await press(page, "Sign in with a passkey").click();
  await chatsSettled(page);
});

test("the browser suggests passkeys in the field for the username", async ({
  page,
  account,
  authenticator,
  parley: { app },
}) => {
  await prove(app, account);
  await openSection(page, "security");
  await addPasskey(page);
  await expect(rows(page)).toHaveCount(1);
  await authenticator.answers(false);
  await signOut(page);
  await expect(page.getByLabel("Username")).toHaveAttribute("autocomplete", "username webauthn");
  // The virtual authenticator chooses a suggestion by itself, if it answers when the browser asks it.
  await page.route("**/api/auth/passkey/challenge", async (route) => {
    await authenticator.answers(true);
    await route.continue();
  });
  await page.reload();
  await chatsSettled(page);
});

test("a passkey is the second step after a password, and proves that it is the owner", async ({
  page,
  account,
  authenticator: _,
  parley: { app },
}) => {
  await withoutSuggestions(page);
  await prove(app, account);
  await openSection(page, "security");
  await addPasskey(page);
  await expect(rows(page)).toHaveCount(1);
  await switchSecondFactorOn(app, account);
  await signOut(page);
  await signIn(page, account.user.username, account.password);
  await expect(title(page, "One more step")).toBeVisible();
  await press(page, "Use a passkey").click();
  await chatsSettled(page);
  await app.context.database.updateTable("sessions").set({ proved_at: 0 }).execute();
  await openSection(page, "security");
  await press(section(page), "Remove").click();
  await press(page.getByRole("alertdialog"), "Remove").click();
  await press(proofDialog(page), "Use a passkey").click();
  await expect(section(page).getByText("The passkey was removed.")).toBeVisible();
  await expect(rows(page)).toHaveCount(0);
});

test("a passkey is renamed, and a second one on the same device is refused with a reason", async ({
  page,
  account,
  authenticator: _,
  parley: { app },
}) => {
  await prove(app, account);
  await openSection(page, "security");
  await addPasskey(page);
  await section(page)
    .getByRole("button", { name: /^Rename / })
    .click();
  await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
  await page.getByLabel("Name", { exact: true }).fill("My laptop");
  await page.keyboard.press("Enter");
  await expect(section(page).getByText("My laptop")).toBeVisible();
  await addPasskey(page);
  await expect(section(page).getByText("This device has a passkey of your account already.")).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
});

test("a person whom the authenticator does not recognise stays on the page and can use the password", async ({
  page,
  account,
  authenticator,
  parley: { app },
}) => {
  await withoutSuggestions(page);
  await prove(app, account);
  await openSection(page, "security");
  await addPasskey(page);
  await expect(rows(page)).toHaveCount(1);
  await authenticator.recognises(false);
  await signOut(page);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByRole("button", { name: "Sign in with a passkey" })).toBeEnabled();
  await signIn(page, account.user.username, account.password);
  await chatsSettled(page);
});
