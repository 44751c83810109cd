import type { Page } from "@playwright/test";
import { newOidcPerson } from "../testing/sso/sso-app.ts";
import { chatsSettled, logOut } from "./account-menu.ts";
import { expect } from "./fixtures.ts";
import { loginTitle, openSection, part, press, proofDialog } from "./settings-screen.ts";
import { test } from "./sso-server.ts";

/** Pages of the provider, refusals that ask for a proof, and the stream of a session that has ended. */
const expected =
  /^request: http:\/\/127\.0\.0\.1:\d+\/(?:auth|interaction|session)|status of 40[13]|INCOMPLETE_CHUNKED/;
test.use({ expectedErrors: [expected] });

const section = (page: Page) => part(page, "Single sign-on");
const continueBy = (page: Page) => press(page, "Continue with Example ID");

async function disconnect(page: Page): Promise<void> {
  await press(section(page), "Disconnect Example ID").click();
  await press(page.getByRole("alertdialog", { name: "Disconnect Example ID?" }), "Disconnect").click();
}

async function signInBySso(page: Page): Promise<void> {
  await page.goto("/login");
  await continueBy(page).click();
  await chatsSettled(page);
}

test("a person signs in by the provider, and signs out of both @phone", async ({ page, oidc }) => {
  oidc.person = newOidcPerson();
  await signInBySso(page);
  expect(page.url()).not.toContain("code=");
  await logOut(page);
  // The provider asks whether its own session ends too.
  await page.waitForURL((url) => url.origin === oidc.issuer);
  await page.getByRole("button", { name: "Yes, sign me out" }).click();
  await expect(loginTitle(page)).toBeVisible();
});

test("a person who refuses at the provider reads why, and returns to the sign-in", async ({ page, oidc }) => {
  oidc.person = null;
  await page.goto("/login");
  await continueBy(page).click();
  await expect(page.getByText("The sign-in at your provider was cancelled or refused.")).toBeVisible();
  await press(page, "Back to sign in").click();
  await expect(loginTitle(page)).toBeVisible();
});

test("a person connects the provider, signs in by it, and disconnects it", async ({ page, account, oidc }) => {
  oidc.person = newOidcPerson();
  await openSection(page, "security");
  await press(section(page), "Connect Example ID").click();
  await proofDialog(page).getByLabel("Password", { exact: true }).fill(account.password);
  await page.keyboard.press("Enter");
  await expect(section(page).getByText(String(oidc.person.email))).toBeVisible();
  await page.getByRole("link", { name: "Back to chats" }).click();
  await logOut(page);
  await continueBy(page).click();
  await chatsSettled(page);
  await openSection(page, "security");
  await disconnect(page);
  await press(proofDialog(page), "Continue with Example ID").click();
  await expect(page.getByText("It is confirmed that it is you.")).toBeVisible();
  await disconnect(page);
  await expect(press(section(page), "Connect Example ID")).toBeVisible();
});

test("a sign-out at the provider signs an open page out", async ({ page, oidc, parley: { app } }) => {
  const person = newOidcPerson();
  oidc.person = person;
  await signInBySso(page);
  const sessions = app.context.database.selectFrom("provider_sessions").select("sid");
  const { sid } = await sessions.where("subject", "=", person.sub).executeTakeFirstOrThrow();
  await oidc.logOut(person.sub, sid ?? "");
  await expect(loginTitle(page)).toBeVisible();
});
