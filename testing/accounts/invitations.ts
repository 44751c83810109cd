import {
  type CreatedInvitation,
  createdInvitationSchema,
  type NewInvitation,
} from "#contract/administration/invitations.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { DAY } from "#contract/limits.ts";
import { insertInvitation } from "../../server/accounts/invitations/invitation-store.ts";
import { newId } from "../../server/database/new-id.ts";
import type { TestApp } from "../app/start-test-app.ts";
import type { TestAccount } from "./sign-up.ts";

/** Creates an invitation as an administrator with a recent proof. @returns the answer, with the key of its link */
export async function invite(
  app: TestApp,
  { token }: Pick<TestAccount, "token">,
  body: NewInvitation = {},
): Promise<CreatedInvitation & { key: string }> {
  const response = await app.call("POST", administrationPaths.invitations, { token, body });
  if (response.status !== 201) throw new Error(`An invitation answered ${response.status} ${await response.text()}`);
  const created = createdInvitationSchema.parse(await response.json());
  return { ...created, key: invitationKeyIn(created.link) };
}

/** Returns the key in an invitation's link. */
export const invitationKeyIn = (link: string): string =>
  new URLSearchParams(new URL(link).hash.slice(1)).get("invitation") ?? "";

/** Inserts an invitation that nobody can use, for tests that only name it. @returns its id */
export async function insertUnusableInvitation({ context }: TestApp, { user }: TestAccount): Promise<string> {
  const id = newId();
  const now = context.clock.now();
  await insertInvitation(context.database, {
    ...{ id, key_hash: id, created_by: user.id, created_at: now, expires_at: now + DAY, revoked_at: null },
    ...{ address: null, address_key: null, uses_max: 1, uses: 0, role: "person", note: "", group_id: null },
    trusted_only: 0,
  });
  return id;
}
