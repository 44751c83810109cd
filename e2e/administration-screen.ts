import type { Page } from "@playwright/test";
import type { AccountRole } from "#contract/accounts/roles.ts";
import { giveRole } from "../testing/accounts/roles.ts";
import type { TestAccount } from "../testing/accounts/sign-up.ts";
import type { TestApp } from "../testing/app/start-test-app.ts";

/** Opens a page of the administration as an account with a role, which the page reads when it starts. */
export async function openAs(page: Page, app: TestApp, account: TestAccount, [role, path]: [AccountRole, string]) {
  await giveRole(app, account, role);
  await page.goto(`/administration/${path}`);
}
