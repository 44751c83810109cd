import { type AccountContext, openAccounts } from "../../server/accounts/accounts.ts";
import type { TestApp } from "../app/start-test-app.ts";

/** Returns the dependencies of functions of accounts, for calls without HTTP. */
export const accountContextOf = ({ context }: Pick<TestApp, "context">): AccountContext => ({
  ...context,
  ...openAccounts(context),
});
