import { expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { DAY } from "#contract/limits.ts";
import { newPerson, signUp } from "../../testing/accounts/sign-up.ts";
import { startTestApp, TestClock } from "../../testing/app/start-test-app.ts";
import { Sweep } from "./sweep.ts";

it("the sweep removes expired data and nothing else", async () => {
  const clock = new TestClock();
  await using app = await startTestApp({ clock });
  const { database, sweep, outbox } = app.context;
  const counts = async () => {
    const tables = ["users", "sessions", "email_keys", "mails", "used_nonces"] as const;
    const rows = await Promise.all(tables.map((table) => database.selectFrom(table).selectAll().execute()));
    return Object.fromEntries(tables.map((table, at) => [table, rows[at]?.length]));
  };
  const { token } = await signUp(app);
  await app.call("POST", accountPaths.register, { body: newPerson() });
  await database
    .insertInto("used_nonces")
    .values({ hash: "old", expires_at: clock.now() + DAY })
    .execute();
  await outbox.deliverDue();

  await sweep.run();
  expect(await counts()).toEqual({ users: 2, sessions: 1, email_keys: 1, mails: 0, used_nonces: 1 });
  clock.advance(DAY);
  await sweep.run();
  expect(await counts()).toEqual({ users: 2, sessions: 1, email_keys: 0, mails: 0, used_nonces: 0 });
  await app.call("GET", accountPaths.me, { token });
  clock.advance(6 * DAY);
  await sweep.run();
  expect(await counts()).toMatchObject({ users: 1, sessions: 1 });
  clock.advance(DAY);
  await sweep.run();
  expect(await counts()).toMatchObject({ users: 1, sessions: 0 });
});

it("the sweep runs the other jobs even if one fails", async () => {
  await using app = await startTestApp();
  const done: string[] = [];
  const { log, clock } = app.context;
  await using sweep = new Sweep({
    log,
    clock,
    jobs: {
      first: () => Promise.reject(new Error("away")),
      second: async () => {
        done.push("second");
      },
    },
  });
  await sweep.run();
  expect(done).toEqual(["second", "second"]);
  expect(app.logLines.join("")).toContain('"job":"first"');
});

it("the sweep does not delay a shutdown: the running job is aborted, and no other begins", async () => {
  await using app = await startTestApp();
  const { log, clock } = app.context;
  const begun = Promise.withResolvers<void>();
  const done: string[] = [];
  const sweep = new Sweep({
    log,
    clock,
    jobs: {
      long: async (_now, signal) => {
        begun.resolve();
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        done.push("long");
      },
      next: async () => {
        done.push("next");
      },
    },
  });
  await begun.promise;
  await sweep[Symbol.asyncDispose]();
  expect(done).toEqual(["long"]);
});
