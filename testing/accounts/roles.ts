import type { AccountRole } from "#contract/accounts/roles.ts";
import type { TestApp } from "../app/start-test-app.ts";
import { signUpProved, type TestAccount } from "./sign-up.ts";

/** Sets the role of an account without a record. */
export async function giveRole({ context }: TestApp, { user }: TestAccount, role: AccountRole): Promise<void> {
  await context.database.updateTable("users").set({ role }).where("id", "=", user.id).execute();
}

/** Returns a new account of this role, whose token passes routes that require a proof. */
export async function signUpAs(app: TestApp, role: AccountRole): Promise<TestAccount> {
  const account = await signUpProved(app);
  await giveRole(app, account, role);
  return account;
}
