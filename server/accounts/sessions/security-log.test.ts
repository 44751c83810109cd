import { describe, expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { securityLogSchema } from "#contract/accounts/sessions.ts";
import { DAY } from "#contract/limits.ts";
import { signUp } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { newId } from "../../database/new-id.ts";
import { SecurityLog } from "./security-log.ts";

const clock = new TestClock();
const app = disposeAfterAll(await startTestApp({ clock }));

const newestKinds = async ({ token }: { token: string }) =>
  securityLogSchema
    .parse(await (await app.call("GET", accountPaths.securityLog, { token })).json())
    .map(({ kind }) => kind);

it("J6 the security log has a year's events, two hundred of each kind, so that a flood evicts no other kind", async () => {
  const ada = await signUp(app);
  const rows = (["names-changed", "sign-in-throttled"] as const).flatMap((kind) =>
    Array.from({ length: 1100 }, () => ({
      id: newId(),
      user_id: ada.user.id,
      kind,
      at: clock.now(),
      ip: "",
      user_agent: "",
    })),
  );
  const { database } = app.context;
  await database.deleteFrom("security_events").where("user_id", "!=", ada.user.id).execute();
  await database.insertInto("security_events").values(rows).execute();
  const kept = async () => {
    await app.context.sweep.run();
    const events = await database.selectFrom("security_events").select(["id", "kind"]).execute();
    return events.filter(({ kind }) => kind === "names-changed" || kind === "sign-in-throttled").length;
  };
  expect(await kept()).toBe(400);
  const left = await database.selectFrom("security_events").select("id").execute();
  expect(left.map(({ id }) => id)).toEqual(expect.arrayContaining(rows.slice(-200).map(({ id }) => id)));
  expect(await newestKinds(ada)).not.toContain("registered");
  const all = await database.selectFrom("security_events").select("kind").execute();
  expect(all.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["registered", "verified", "signed-in"]));
  clock.advance(365 * DAY + 1);
  await app.context.sweep.run();
  expect(await database.selectFrom("security_events").select("id").execute()).toEqual([]);
});

describe("J6 line of the log for a security event", () => {
  const linesOf = (userId: string) => app.logLines.filter((line) => line.includes(userId)).length;

  it("a security event is logged after a commit, and not after a rollback", async () => {
    const { user } = await signUp(app);
    const { database } = app.context;
    const log = new SecurityLog({ clock, log: app.context.log });
    const client = { ip: "", userAgent: "", isBrowser: false, device: null, isLocal: true, isTrusted: false };
    const before = linesOf(user.id);
    const failing = database.transaction().execute(async (db) => {
      await log.record(db, "names-changed", user.id, client);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(linesOf(user.id)).toBe(before);
    await database.transaction().execute(async (db) => {
      await log.record(db, "names-changed", user.id, client);
      expect(linesOf(user.id)).toBe(before);
    });
    expect(linesOf(user.id)).toBe(before + 1);
  });

  it("a security event is logged even if the account is removed meanwhile", async () => {
    const log = new SecurityLog({ clock, log: app.context.log });
    const userId = newId();
    const event = { kind: "sign-in-throttled", userId, about: userId } as const;
    const client = { ip: "", userAgent: "", isBrowser: false, device: null, isLocal: true, isTrusted: false };
    await log.recordNowAndThen(app.context.database, event, client);
    expect(linesOf(userId)).toBe(1);
  });
});
