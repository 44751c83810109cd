import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { sharePaths } from "#contract/shares/paths.ts";
import { addTestPasskey, readChallenge } from "../../../testing/accounts/passkeys.ts";
import { signUpAs } from "../../../testing/accounts/roles.ts";
import { switchSecondFactorOn } from "../../../testing/accounts/second-factor.ts";
import { newPerson, signUp, signUpProved } from "../../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp, type TestHarness } from "../../../testing/app/start-test-app.ts";
import { expectExactCounters } from "../../../testing/chats/exact-counters.ts";
import { admin } from "../../../testing/cli/run-admin.ts";
import { importChat, shareChat, tokenOf } from "../../../testing/shares/share-chat.ts";
import { copiedTables, credentialTables } from "./tables.ts";

let harness: TestHarness;
beforeEach(async () => {
  harness = await createTestHarness();
});
afterEach(() => harness[Symbol.asyncDispose]());

const keyIn = (link: string) => {
  const fragment = new URL(link).hash.slice(1);
  return new URLSearchParams(fragment).get("key") ?? fragment.split("=").at(-1) ?? "";
};

/** Offers ownership to Eve, invites an administrator and a class, backs up, withdraws all, and restores. */
async function restoreWithdrawn(options: string[]) {
  const file = join(harness.dataDir, "copy.parley");
  const keys = await (async () => {
    await using app = await startTestApp({ harness });
    const ada = await signUpAs(app, "owner");
    const eve = await signUpProved(app);
    type Answer = { link: string; code: string; invitation: { id: string } };
    const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
      const response = await app.call(method, path, { token: ada.token, ...(body !== undefined && { body }) });
      return (response.status === 204 ? {} : await response.json()) as Answer;
    };
    const offer = await call("POST", administrationPaths.ownershipOffer(eve.user.id), { staysOwner: false });
    const invited = await call("POST", administrationPaths.invitations, { role: "administrator" });
    const taught = await call("POST", administrationPaths.invitations, { classCode: true });
    expect((await admin(harness, ["backup", file])).code).toBe(0);
    await call("DELETE", administrationPaths.ownershipOffer(eve.user.id));
    await call("DELETE", administrationPaths.invitation(invited.invitation.id));
    await call("DELETE", administrationPaths.invitation(taught.invitation.id));
    return { ada, eve, offer: keyIn(offer.link), invitation: keyIn(invited.link), code: taught.code };
  })();
  const restored = await admin(harness, ["restore", file, "--force", "--yes", "--json", ...options]);
  return { ...keys, restored };
}

test("L7 a restore revives no session, offer of ownership, invitation or class code that was ended since", async () => {
  const { ada, eve, offer, invitation, code, restored } = await restoreWithdrawn([]);
  expect(restored.code).toBe(0);
  await using app = await startTestApp({ harness });
  expect((await app.call("GET", accountPaths.me, { token: ada.token })).status).toBe(401);
  const login = await app.call("POST", accountPaths.login, {
    body: { username: eve.user.username, password: eve.password },
  });
  const { access_token: token } = (await login.json()) as { access_token: string };
  const accepted = await app.call("POST", administrationPaths.ownership, { token, body: { key: offer } });
  expect(accepted.status).toBe(400);
  const registered = await app.call("POST", accountPaths.register, { body: { ...newPerson(), invitation } });
  expect(registered.status).toBe(400);
  expect((await app.call("POST", accountPaths.classCode, { body: { code } })).status).toBe(400);
  expect(await app.context.database.selectFrom("class_codes").selectAll().execute()).toEqual([]);
});

test("a restore with --keep-sessions retains sessions, offers, invitations and class codes", async () => {
  const { ada, eve, offer, code, restored } = await restoreWithdrawn(["--keep-sessions"]);
  expect(restored.code).toBe(0);
  await using app = await startTestApp({ harness });
  expect((await app.call("GET", accountPaths.me, { token: ada.token })).status).toBe(200);
  const accepted = await app.call("POST", administrationPaths.ownership, { token: eve.token, body: { key: offer } });
  expect(accepted.status).toBe(200);
  expect((await app.call("POST", accountPaths.classCode, { body: { code } })).status).toBe(200);
});

test("L7 a restore revives no recovery code and no remembered browser, and reports its second factor at the next sign-in", async () => {
  const file = join(harness.dataDir, "copy.parley");
  const account = await (async () => {
    await using app = await startTestApp({ harness });
    const ada = await signUpProved(app);
    const factor = { ...ada, ...(await switchSecondFactorOn(app, ada)) };
    expect((await admin(harness, ["backup", file])).code).toBe(0);
    return factor;
  })();
  expect((await admin(harness, ["restore", file, "--force", "--yes", "--json"])).code).toBe(0);
  await using app = await startTestApp({ harness });
  const { user, password, authenticator, recoveryCodes } = account;
  const signIn = async (code: string) => {
    const first = await app.call("POST", accountPaths.login, { body: { username: user.username, password } });
    const { ticket } = (await first.json()) as { ticket: string };
    return app.call("POST", accountPaths.secondStep, { body: { ticket, code } });
  };
  expect((await signIn(recoveryCodes[0] ?? "")).status).toBe(403);
  const now = app.context.clock.now();
  expect(await (await signIn(authenticator.codeAt(now))).json()).toMatchObject({ isRestored: true });
  expect(await (await signIn(authenticator.codeAt(now, 1))).json()).not.toHaveProperty("isRestored");
});

test("L7 a passkey that was removed since the backup is back, marked, and reported at its next sign-in", async () => {
  const file = join(harness.dataDir, "copy.parley");
  const PUBLIC_URL = "https://chat.example.org";
  const { account, authenticator } = await (async () => {
    await using app = await startTestApp({ harness, env: { PUBLIC_URL } });
    const ada = await signUpProved(app);
    const added = await addTestPasskey(app, ada);
    expect((await admin(harness, ["backup", file])).code).toBe(0);
    await app.call("DELETE", accountPaths.passkey(added.passkey.id), { token: ada.token });
    return { account: ada, authenticator: added.authenticator };
  })();
  expect((await admin(harness, ["restore", file, "--force", "--yes", "--json"])).code).toBe(0);
  await using app = await startTestApp({ harness, env: { PUBLIC_URL } });
  const body = { username: account.user.username, password: account.password };
  const login = signedInSchema.parse(await (await app.call("POST", accountPaths.login, { body })).json());
  const list = await app.call("GET", accountPaths.passkeys, { token: login.access_token });
  expect(await list.json()).toMatchObject({ passkeys: [{ isRestored: true }] });
  const signIn = async () => {
    const passkey = authenticator.get(await readChallenge(app));
    return (await app.call("POST", accountPaths.passkeySignIn, { body: { passkey } })).json();
  };
  expect(await signIn()).toMatchObject({ isRestored: true });
  expect(await signIn()).not.toHaveProperty("isRestored", true);
});

test.each([
  ["deletes links to chats and what they have stored", [], 404],
  ["with --keep-sessions retains links to chats", ["--keep-sessions"], 200],
])("L7 a restore %s", async (_, options, status) => {
  const file = join(harness.dataDir, "copy.parley");
  const token = await (async () => {
    await using app = await startTestApp({ harness });
    const ada = await signUp(app);
    const share = await shareChat(app, ada, await importChat(app, ada));
    expect((await admin(harness, ["backup", file])).code).toBe(0);
    await app.call("DELETE", sharePaths.share(share.id), { token: ada.token });
    return tokenOf(share);
  })();
  expect((await admin(harness, ["restore", file, "--force", "--yes", "--json", ...options])).code).toBe(0);
  await using app = await startTestApp({ harness });
  expect((await app.call("GET", sharePaths.sharedPage(token))).status).toBe(status);
  const { database } = app.context;
  const shares = await database.selectFrom("shares").select("bytes").execute();
  expect(shares).toHaveLength(status === 404 ? 0 : 1);
  expect(await database.selectFrom("share_pages").select("share_id").execute()).toHaveLength(shares.length);
  await expectExactCounters(database);
});

/** Columns that name a key but are no credential that a person could hold. */
const harmless: readonly string[] = [
  "account_groups.name_key",
  // A known browser needs the password all the same.
  "devices.device",
  "sessions.device",
  "email_keys.device",
  "messages.error_code",
  "users.username_key",
  "users.email_key",
  "users.password_hash",
  "files.key",
  "file_texts.key",
  "file_removals.key",
  "sends.key",
  "used_nonces.hash",
  "limits.key",
  "sign_in_throttles.key",
  "invitations.address_key",
  "audit_events.hash",
  "audit_head.hash",
];

test("L7 a restore ends every table with a column for a key that somebody may hold", async () => {
  await using app = await startTestApp({ harness });
  const tables = await app.context.database.introspection.getTables();
  const columns = tables
    .filter(({ name }) => copiedTables.some((table) => table.name === name))
    .flatMap((table) => table.columns.map(({ name }) => ({ table: table.name, column: `${table.name}.${name}` })));
  const keys = columns.filter(({ column }) =>
    /(^|[._])(key|keys|hash|token|secret|code|ticket|device)$|_hash$/.test(column),
  );
  const unknown = keys.filter(({ table, column }) => !(table in credentialTables) && !harmless.includes(column));
  expect(unknown.map(({ column }) => column)).toEqual([]);
  // Each name in the lists still exists.
  expect(harmless.filter((name) => !columns.some(({ column }) => column === name))).toEqual([]);
  expect(Object.keys(credentialTables).filter((name) => !columns.some(({ table }) => table === name))).toEqual([]);
});
