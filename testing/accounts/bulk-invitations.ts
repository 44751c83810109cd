import { type BulkInvitations, type BulkResult, bulkResultsSchema } from "#contract/administration/bulk-invitations.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import type { TestApp } from "../app/start-test-app.ts";
import type { TestAccount } from "./sign-up.ts";

type Given = Partial<BulkInvitations>;

/** Calls the route of bulk invitations. */
export const callBulk = (app: TestApp, { token }: Pick<TestAccount, "token">, body: Given): Promise<Response> =>
  app.call("POST", administrationPaths.bulkInvitations, { token, body });

/** Invites addresses as an account with a recent proof. @returns the results of the lines */
export async function inviteAll(
  app: TestApp,
  by: Pick<TestAccount, "token">,
  addresses: readonly string[],
  given: Given = {},
): Promise<BulkResult[]> {
  const response = await callBulk(app, by, { lines: addresses.map((address) => ({ address })), ...given });
  if (response.status !== 200) throw new Error(`Invitations answered ${response.status} ${await response.text()}`);
  return bulkResultsSchema.parse(await response.json()).results;
}
