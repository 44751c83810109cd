import { expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { filedMailsTo } from "../../../testing/accounts/filed-mails.ts";
import { signUpProved } from "../../../testing/accounts/sign-up.ts";
import { startTestApp } from "../../../testing/app/start-test-app.ts";
import { openAccounts } from "../accounts.ts";

it("H5 a server answers during a long deletion, refuses its account's sign-ins, and leaves the rest to the next sweep", async () => {
  await using app = await startTestApp();
  const { token, user, password } = await signUpProved(app);
  const { database, sweep } = app.context;
  // On a busy machine the sweep of the start may still be running, and would remove the account.
  await sweep.run();
  const { deletions } = openAccounts(app.context);
  const broken: string[] = [];
  deletions.onRemoving(async (userId, signal) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    broken.push(userId);
  });
  const session = database
    .selectFrom("sessions")
    .select("id")
    .where("user_id", "=", user.id)
    .where("proved_at", ">", 0);
  const { id: sessionId } = await session.executeTakeFirstOrThrow();
  const client = { ip: "", userAgent: "", isBrowser: false, device: null, isLocal: true, isTrusted: false };
  const identity = { userId: user.id, sessionId };
  expect(await deletions.ask({ isImmediate: true }, { identity, client })).toBeNull();
  expect(broken).toEqual([]);
  const body = { username: user.username, password };
  expect((await app.call("POST", accountPaths.login, { body })).status).toBe(401);
  expect((await app.call("GET", accountPaths.me, { token })).status).toBe(401);

  await deletions[Symbol.asyncDispose]();
  expect(broken).toEqual([user.id]);
  const rows = database.selectFrom("users").select("id").where("id", "=", user.id);
  expect(await rows.execute()).toHaveLength(1);
  await sweep.run();
  expect(await rows.execute()).toEqual([]);
  const subjects = (await filedMailsTo(app, user.email)).map(({ subject }) => subject);
  expect(subjects).toEqual(["Your account at Parley was deleted"]);
});
