import type { McpListing } from "../../server/mcp/mcp-clients.ts";
import { signUpProved, type TestAccount } from "../accounts/sign-up.ts";
import type { TestApp } from "../app/start-test-app.ts";
import { NOTES, signInToNotes } from "./sign-in-app.ts";
import type { SignInServer } from "./sign-in-server.ts";

/** Returns a new account that has signed in to the tool server. */
export async function newPersonAtNotes(app: TestApp, server: SignInServer): Promise<TestAccount> {
  const account = await signUpProved(app);
  const response = await signInToNotes(app, server, account.token);
  if (!response.ok) throw new Error(`The sign-in answered ${response.status}: ${await response.text()}`);
  return account;
}

/** Lists the tools of a server of the account over its connection. */
export async function listNotes(app: TestApp, { user }: TestAccount, key = NOTES): Promise<McpListing> {
  const { servers, clients } = app.context.mcp;
  const server = (await servers.listFor(app.context.database, user.id)).find((each) => each.key === key);
  if (!server) throw new Error("The account has no such server");
  return clients.inspect(server, user.id, new AbortController().signal);
}
