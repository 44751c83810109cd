import type { Browser, BrowserContext, Locator, Page } from "@playwright/test";
import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { TestAccount } from "../testing/accounts/sign-up.ts";
import type { TestApp } from "../testing/app/start-test-app.ts";
import { expect } from "./fixtures.ts";

export type SettingsSection = "account" | "appearance" | "models" | "security" | "chat" | "tools" | "usage" | "data";

export const press = (scope: Page | Locator, label: string | RegExp) =>
  scope.getByRole("button", { name: label, exact: true });
export const field = (scope: Page | Locator, label: string) => scope.getByLabel(label, { exact: true });
/** Returns a section of a page by its heading. */
export const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
export const title = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
export const proofDialog = (page: Page) => page.getByRole("dialog", { name: "Confirm that it is you" });
export const loginTitle = (page: Page) => page.getByRole("heading", { name: "Parley Chat Login" });

export async function openSection(page: Page, section: SettingsSection): Promise<void> {
  await page.goto(`/settings/${section}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

/** Opens another browser context with its own session of the same account, on the chats, with its events connected. */
export async function anotherBrowser(
  browser: Browser,
  app: TestApp,
  { user, password }: TestAccount,
): Promise<{ page: Page; context: BrowserContext; token: string }> {
  const answer = await app.call("POST", accountPaths.login, { body: { username: user.username, password } });
  const { access_token: token } = signedInSchema.parse(await answer.json());
  const context = await browser.newContext({ baseURL: app.url });
  await context.addInitScript(
    ([key, person]) => {
      if (localStorage.getItem("e2e-signed-in")) return;
      localStorage.setItem("e2e-signed-in", "once");
      localStorage.setItem("access_token", key);
      localStorage.setItem("user", person);
    },
    [token, JSON.stringify(user)] as const,
  );
  const page = await context.newPage();
  const told = page.waitForResponse((response) => response.url().includes(conversationPaths.events) && response.ok());
  await page.goto("/chat");
  await told;
  return { page, context, token };
}

/** Proves by the password. The sign-in by a mailed link is not enough for actions that need a proof. */
export async function prove(app: TestApp, { token, password }: TestAccount): Promise<void> {
  await app.call("POST", accountPaths.proof, { token, body: { password } });
}

/** Enters the password into the dialog that asks for a proof. */
export async function proveInDialog(page: Page, { password }: TestAccount): Promise<void> {
  const dialog = proofDialog(page);
  await expect(field(dialog, "Password")).toBeFocused();
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
}

/** Sets the time of the last proof to 1970, so that every proof of the account has expired. */
export async function letProofLapse({ context: { database } }: TestApp, { user }: TestAccount): Promise<void> {
  await database.updateTable("sessions").set({ proved_at: 0 }).where("user_id", "=", user.id).execute();
}
