import { expect, test } from "vitest";
import { startTestApp, type TestApp } from "../app/start-test-app.ts";
import { signUp, signUpByMail, type TestAccount } from "./sign-up.ts";

/** Returns the rows of an account, without ids, times, names and hashes. */
async function rowsOf({ context: { database } }: TestApp, { user }: TestAccount): Promise<object> {
  const users = await database.selectFrom("users").selectAll().where("id", "=", user.id).execute();
  const sessions = await database.selectFrom("sessions").selectAll().where("user_id", "=", user.id).execute();
  const devices = await database.selectFrom("devices").selectAll().where("user_id", "=", user.id).execute();
  const events = await database.selectFrom("security_events").selectAll().where("user_id", "=", user.id).execute();
  const own = /_at$|^id$|^(user_)?id$|^username|^email|^password_hash$|_seq$|^issued|^device$/;
  const alike = (row: object) => Object.fromEntries(Object.entries(row).filter(([name]) => !own.test(name)));
  const kinds = events.map(({ kind }) => kind).sort();
  return { users: users.map(alike), sessions: sessions.map(alike), devices: devices.length, kinds };
}

test("an inserted account has the rows of one that registered by mail", async () => {
  await using app = await startTestApp();
  const inserted = await rowsOf(app, await signUp(app));
  expect(inserted).toEqual(await rowsOf(app, await signUpByMail(app)));
  expect(inserted).toMatchObject({ users: [{}], sessions: [{ method: "mail" }] });
});
