import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { signedInSchema, type User } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { type AccountRole, accountRoles, hasRole } from "#contract/accounts/roles.ts";
import { problemSchema } from "#contract/problem.ts";
import { accountContextOf } from "../../../testing/accounts/account-context.ts";
import { newestKeyFor } from "../../../testing/accounts/mailed-links.ts";
import { newPerson, signUp, signUpProved, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import {
  createTestHarness,
  startTestApp,
  type TestApp,
  type TestHarness,
} from "../../../testing/app/start-test-app.ts";
import { admin } from "../../../testing/cli/run-admin.ts";
import { disableAccount } from "../administration/account-lifecycle.ts";
import { setRights } from "../administration/account-rights.ts";
import { commandLine } from "../administration/administrator.ts";

// Detects hanging only: the spawned processes share two cores with all other tests.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/** Registers and verifies by mail. @returns the account as its owner's browser receives it */
async function registerAndVerify(app: TestApp): Promise<User> {
  const person = newPerson();
  await app.call("POST", accountPaths.register, { body: person });
  const key = await newestKeyFor(app, "verify-email", person.email);
  const response = await app.call("POST", accountPaths.verify, { body: { key } });
  return signedInSchema.parse(await response.json()).user;
}

it.each(accountRoles)("a %s has the rights of all roles before it", (role) => {
  const permitted = accountRoles.filter((required) => hasRole(role, required));
  expect(permitted).toEqual(accountRoles.slice(0, accountRoles.indexOf(role) + 1));
});

describe("roles on a server with several accounts", () => {
  let opened: AsyncDisposableStack;
  let harness: TestHarness;
  let app: TestApp;
  beforeAll(async () => {
    opened = new AsyncDisposableStack();
    harness = opened.use(await createTestHarness());
    app = opened.use(await startTestApp({ harness }));
  });
  afterAll(() => opened.disposeAsync());

  const roleOf = async ({ token }: TestAccount) => {
    const user = (await (await app.call("GET", accountPaths.me, { token })).json()) as User;
    return user.role ?? "person";
  };
  const give = ({ user }: TestAccount, role: AccountRole) =>
    setRights(accountContextOf(app), user.id, { role, by: commandLine });
  const remove = async ({ token }: TestAccount) => {
    const response = await app.call("POST", accountPaths.accountDeletion, { token, body: { isImmediate: true } });
    return response.ok ? response.status : problemSchema.parse(await response.json()).code;
  };
  /** Leaves exactly these accounts as owners. */
  async function haveOwners(...owners: TestAccount[]): Promise<void> {
    for (const owner of owners) await give(owner, "owner");
    const rows = await app.context.database.selectFrom("users").select("id").where("role", "=", "owner").execute();
    const others = rows.filter(({ id }) => !owners.some(({ user }) => user.id === id));
    for (const { id } of others) await setRights(accountContextOf(app), id, { role: "person", by: commandLine });
  }

  it("the command line makes an account an owner, which takes effect with the next request", async () => {
    const ada = await signUp(app);
    const run = (...words: string[]) => admin(harness, ["users", "role", ada.user.username, ...words, "--json"]);
    expect((await run()).json).toMatchObject({ role: "person", changed: false });
    expect((await run("owner")).json).toMatchObject({ role: "owner", changed: true });
    expect(await roleOf(ada)).toBe("owner");
    expect((await run("king")).code).toBe(2);
  });

  it("P3 the last owner is neither demoted, disabled nor deleted", async () => {
    const [ada, eve] = [await signUpProved(app), await signUp(app)];
    await haveOwners(ada, eve);
    await disableAccount(accountContextOf(app), eve.user.id, commandLine);
    const refused = { code: "last-owner" };
    await expect(give(ada, "administrator")).rejects.toMatchObject(refused);
    await expect(disableAccount(accountContextOf(app), ada.user.id, commandLine)).rejects.toMatchObject(refused);
    expect(await remove(ada)).toBe("last-owner");
    const { json } = await admin(harness, ["users", "delete", ada.user.username, "--yes", "--json"]);
    expect(json.error).toMatch(/only owner/);
    expect(await roleOf(ada)).toBe("owner");
  });

  it("P3 one of two owners who leave at once stays", async () => {
    for (let round = 0; round < 4; round++) {
      const [ada, eve] = [await signUpProved(app), await signUpProved(app)];
      await haveOwners(ada, eve);
      const outcomes = await Promise.all([remove(ada), remove(eve)]);
      expect(outcomes.sort()).toEqual([200, "last-owner"]);
    }
  });
});

it("the only account of a server may be deleted, and the next one becomes its owner", async () => {
  await using app = await startTestApp({ env: { PUBLIC_URL: "http://localhost:3000" } });
  const ada = await signUpProved(app);
  await setRights(accountContextOf(app), ada.user.id, { role: "owner", by: commandLine });
  const body = { isImmediate: true };
  expect((await app.call("POST", accountPaths.accountDeletion, { token: ada.token, body })).status).toBe(200);
  await vi.waitUntil(async () => (await app.context.database.selectFrom("users").select("id").execute()).length === 0);
  expect((await registerAndVerify(app)).role).toBe("owner");
});
