import { expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { sessionListSchema } from "#contract/accounts/sessions.ts";
import { DAY, MINUTE } from "#contract/limits.ts";
import { giveRole } from "../../../testing/accounts/roles.ts";
import { signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp, type TestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { removeLapsedFromAccounts } from "../accounts.ts";

const statusOf = async (app: TestApp, { token }: Pick<TestAccount, "token">) =>
  (await app.call("GET", accountPaths.me, { token })).status;

async function signIn(app: TestApp, { user, password }: TestAccount): Promise<Pick<TestAccount, "token">> {
  const body = { username: user.username, password };
  const response = await app.call("POST", accountPaths.login, { body });
  return { token: ((await response.json()) as { access_token: string }).access_token };
}

it("E3 a session ends after SESSION_IDLE_DAYS without use, and SESSION_MAX_DAYS after its sign-in", async () => {
  const clock = new TestClock();
  await using app = await startTestApp({ clock, env: { SESSION_MAX_DAYS: "4", SESSION_IDLE_DAYS: "2" } });
  const account = await signUp(app);
  clock.advance(2 * DAY - MINUTE);
  expect(await statusOf(app, account)).toBe(200);
  clock.advance(2 * DAY);
  expect(await statusOf(app, account)).toBe(401);
  const used = await signIn(app, account);
  for (let days = 1; days < 4; days++) {
    clock.advance(DAY);
    expect(await statusOf(app, used)).toBe(200);
  }
  clock.advance(DAY);
  expect(await statusOf(app, used)).toBe(401);
});

it("E3 sessions of administrators end earlier, from the moment at which an account becomes one", async () => {
  const clock = new TestClock();
  const env = { ADMIN_SESSION_MAX_DAYS: "3", ADMIN_SESSION_IDLE_DAYS: "1" };
  await using app = await startTestApp({ clock, env });
  const [person, administrator] = [await signUp(app), await signUp(app)];
  const promoted = await signUp(app);
  await giveRole(app, administrator, "administrator");
  clock.advance(DAY);
  expect([await statusOf(app, person), await statusOf(app, administrator)]).toEqual([200, 401]);
  clock.advance(2 * DAY);
  expect(await statusOf(app, promoted)).toBe(200);
  await giveRole(app, promoted, "administrator");
  expect(await statusOf(app, promoted)).toBe(401);
  const owners = async () => {
    const rows = await app.context.database.selectFrom("sessions").select("user_id").execute();
    return rows.map((row) => row.user_id);
  };
  expect(await owners()).toHaveLength(3);
  await removeLapsedFromAccounts(app.context, clock.now());
  expect(await owners()).toEqual([person.user.id]);
});

it("E3 shorter settings end older sessions, and the list of sessions leaves them out", async () => {
  const clock = new TestClock();
  await using harness = await createTestHarness(undefined, { isMigrated: true });
  let account: TestAccount;
  {
    await using app = await startTestApp({ harness, clock });
    account = await signUp(app);
  }
  clock.advance(3 * DAY);
  await using app = await startTestApp({ harness, clock, env: { SESSION_MAX_DAYS: "2" } });
  expect(await statusOf(app, account)).toBe(401);
  const { token } = await signIn(app, account);
  const listed = await app.call("GET", accountPaths.sessions, { token });
  expect(sessionListSchema.parse(await listed.json())).toHaveLength(1);
});
