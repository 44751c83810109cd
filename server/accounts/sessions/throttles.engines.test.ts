import { describe, expect, it, vi } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#contract/limits.ts";
import { problemSchema } from "#contract/problem.ts";
import { newPerson, signUp } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { createTestHarness, startTestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { TestBrowser } from "../../../testing/http/test-browser.ts";
import { visibleOf } from "../../../testing/http/visible-of.ts";
import { newId } from "../../database/new-id.ts";
import { removeUnknownGuesses } from "./throttle-store.ts";
import { Throttles } from "./throttles.ts";

const WRONG = "a wrong password";

const clock = new TestClock();
const app = disposeAfterAll(await startTestApp({ clock }));

const login = (username: string, password = WRONG, at = app) =>
  at.call("POST", accountPaths.login, { body: { username, password } });
const statusOf = async (...given: Parameters<typeof login>) => (await login(...given)).status;
const waitOf = (response: Response) => Number(response.headers.get("retry-after"));

/** Guesses wrong passwords until `times` of them were checked, and waits as required in between. */
async function guess(username: string, times: number): Promise<void> {
  for (let count = 0; count < times; count++) {
    const response = await login(username);
    if (response.status === 429) {
      clock.advance(waitOf(response) * SECOND);
      expect(await statusOf(username)).toBe(401);
    } else expect(response.status).toBe(401);
  }
}

/** Sets the state after a hundred wrong guesses; one of them is really made. */
async function lock({ id, username }: { id: string; username: string }, failures = 100): Promise<void> {
  expect(await statusOf(username)).toBe(401);
  await app.context.database.updateTable("sign_in_throttles").where("user_id", "=", id).set({ failures }).execute();
}

describe("B1 wrong passwords in a row", () => {
  it("wrong passwords cause growing waits from the tenth on, during which the right one is refused too", async () => {
    const { user, password } = await signUp(app);
    for (let count = 1; count <= 10; count++) expect(await statusOf(user.username)).toBe(401);
    for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
      const response = await login(user.username, password);
      expect([response.status, waitOf(response)]).toEqual([429, seconds]);
      expect(problemSchema.parse(await response.json())).toMatchObject({ code: "too-many-requests" });
      clock.advance(seconds * SECOND - 1);
      expect(await statusOf(user.username, password)).toBe(429);
      clock.advance(1);
      expect(await statusOf(user.username)).toBe(401);
    }
    clock.advance(900 * SECOND);
    expect(await statusOf(user.username, password)).toBe(200);
  });

  it("wrong passwords are counted from zero after a right one", async () => {
    const { user, password } = await signUp(app);
    await guess(user.username, 9);
    expect(await statusOf(user.username, password)).toBe(200);
    await guess(user.username, 9);
    expect(await statusOf(user.username, password)).toBe(200);
  });

  it("no password is checked after a hundred wrong ones, whatever the wait", async () => {
    const { user, password } = await signUp(app);
    await lock(user, 97);
    await guess(user.username, 3);
    for (const wait of [0, HOUR, 30 * DAY]) {
      clock.advance(wait);
      const response = await login(user.username, password);
      expect([response.status, waitOf(response)]).toEqual([429, 900]);
    }
  });

  it("C1 wrong passwords get the same answers for names with and without an account", async () => {
    const { user } = await signUp(app);
    const unknown = newPerson().username;
    for (let count = 0; count < 12; count++) {
      const [left, right] = [await login(user.username), await login(unknown)];
      expect(waitOf(left)).toBe(waitOf(right));
      expect(await visibleOf(left)).toEqual(await visibleOf(right));
    }
  });

  it("all spellings of a name share one counter", async () => {
    const { user } = await signUp(app);
    for (let count = 0; count < 10; count++) {
      expect(await statusOf(count % 2 ? user.username.toUpperCase() : user.username)).toBe(401);
    }
    expect(await statusOf(user.username.toUpperCase())).toBe(429);
  });

  it("C3 counters are stored alike for names with and without an account", async () => {
    const names = [(await signUp(app)).user.username, newPerson().username];
    for (const name of names) for (let count = 0; count < 10; count++) expect(await statusOf(name)).toBe(401);
    clock.advance(400 * DAY);
    await app.context.sweep.run();
    for (const name of names) {
      expect(await statusOf(name)).toBe(401);
      expect(waitOf(await login(name))).toBe(2);
    }
  });

  it("B5 counters of names without an account are removed, oldest first, if there are too many", async () => {
    const { database } = app.context;
    await database.deleteFrom("sign_in_throttles").execute();
    const [{ user }, ...unknown] = [await signUp(app), newPerson(), newPerson(), newPerson()];
    for (const { username } of [user, ...unknown]) {
      await login(username);
      clock.advance(SECOND);
    }
    const times = async () =>
      (await database.selectFrom("sign_in_throttles").selectAll().orderBy("updated_at").execute()).map(
        (row) => (clock.now() - row.updated_at) / SECOND,
      );
    await removeUnknownGuesses(database, 3);
    expect(await times()).toEqual([4, 3, 2, 1]);
    await removeUnknownGuesses(database, 2);
    expect(await times()).toEqual([4, 2, 1]);
  });

  it("passwords are not hashed during the wait after wrong ones, and no name is stored", async () => {
    const unknown = newPerson().username;
    await guess(unknown, 10);
    const answers = await Promise.all(Array.from({ length: 100 }, () => login(unknown)));
    // Two are hashed at a time, and 64 fit the queue: if a hundred were hashed, some would be refused with 503.
    expect(answers.every(({ status }) => status === 429)).toBe(true);
    const rows = await app.context.database.selectFrom("sign_in_throttles").select("key").execute();
    for (const { key } of rows) expect(key).toMatch(/^[\w-]{43}$/);
  });
});

describe("B3 B5 concurrent and stored guesses", () => {
  it("checks exactly ten of two hundred concurrent guesses at a password", async () => {
    const { user, password } = await signUp(app);
    const answers = await Promise.all(Array.from({ length: 200 }, () => login(user.username)));
    const throttles = app.context.database.selectFrom("sign_in_throttles").selectAll();
    expect(await throttles.where("user_id", "=", user.id).executeTakeFirst()).toMatchObject({ failures: 10 });
    // On a busy machine, some time out waiting for the database.
    const statuses = answers.map(({ status }) => status).filter((status) => status !== 503);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10);
    expect(statuses.every((status) => status === 401 || status === 429)).toBe(true);
    expect(await statusOf(user.username, password)).toBe(429);
  });

  it("counters of wrong passwords survive a restart", async () => {
    await using harness = await createTestHarness();
    const before = await startTestApp({ clock, harness });
    const { user, password } = await signUp(before);
    for (let count = 0; count < 10; count++) await login(user.username, WRONG, before);
    await before[Symbol.asyncDispose]();
    await using after = await startTestApp({ clock, harness });
    expect(await statusOf(user.username, password, after)).toBe(429);
    clock.advance(SECOND);
    expect(await statusOf(user.username, password, after)).toBe(200);
  });

  it("B1 R19 a clock that is set back or forward does not lengthen the wait after wrong passwords", async () => {
    const { user, password } = await signUp(app);
    await guess(user.username, 12);
    clock.advance(-DAY);
    expect(await statusOf(user.username)).toBe(401);
    const response = await login(user.username, password);
    expect([response.status, waitOf(response)]).toEqual([429, 8]);
    clock.advance(8 * SECOND);
    expect(await statusOf(user.username, password)).toBe(200);
    await guess(user.username, 12);
    clock.advance(HOUR);
    expect(await statusOf(user.username, password)).toBe(200);
    clock.advance(DAY);
  });

  it("a guess that is refused because the queue of hashes is full is not counted", async () => {
    const { user, password } = await signUp(app);
    const flood = Array.from({ length: 80 }, (_, at) => login(`flood${at}`));
    const own = await Promise.all(Array.from({ length: 10 }, () => login(user.username)));
    expect(own.map(({ status }) => status)).toContain(503);
    await Promise.all(flood);
    expect(await statusOf(user.username, password)).toBe(200);
  });
});

describe("B1 browsers in which the account was signed in", () => {
  /** An account that an attacker has locked, and a browser in which its owner signed in before. */
  async function lockedOut() {
    const { user, password } = await signUp(app);
    const own = new TestBrowser(app);
    expect((await own.signIn(user.username, password)).status).toBe(200);
    await lock(user);
    expect(await statusOf(user.username, password)).toBe(429);
    return { user, password, own };
  }

  it("a known browser can sign in while the account is locked for others, and unlocks it", async () => {
    const { user, password, own } = await lockedOut();
    const otherBrowser = new TestBrowser(app);
    expect((await otherBrowser.signIn(user.username, password)).status).toBe(429);
    expect((await own.signIn(user.username, password)).status).toBe(200);
    expect((await otherBrowser.signIn(user.username, password)).status).toBe(200);
  });

  it("a known browser is throttled itself", async () => {
    const { user, password, own } = await lockedOut();
    for (let count = 0; count < 10; count++) expect((await own.signIn(user.username, WRONG)).status).toBe(401);
    expect((await own.signIn(user.username, password)).status).toBe(429);
    clock.advance(SECOND);
    expect((await own.signIn(user.username, password)).status).toBe(200);
  });

  it("a known browser is unknown to other accounts, and nothing that a client claims makes it known", async () => {
    const { user, password, own } = await lockedOut();
    const other = await signUp(app);
    await lock(other.user);
    expect((await own.signIn(other.user.username, other.password)).status).toBe(429);
    const devices = await app.context.database
      .selectFrom("devices")
      .selectAll()
      .where("user_id", "=", user.id)
      .execute();
    expect(devices).toHaveLength(2);
    for (const { device } of devices) {
      const forger = new TestBrowser(app);
      forger.cookies.set("parley-device", device);
      expect((await forger.signIn(user.username, password)).status).toBe(429);
      forger.cookies.set("parley-device", device.slice(0, 22));
      expect((await forger.signIn(user.username, password)).status).toBe(429);
    }
  });
});

it("B1 throttles a known program like any other client", async () => {
  const { user, password } = await signUp(app);
  expect(await statusOf(user.username, password)).toBe(200);
  await guess(user.username, 10);
  expect(await statusOf(user.username, password)).toBe(429);
});

describe("R9 guesses at an account that is removed meanwhile", () => {
  const throttles = () => app.context.database.selectFrom("sign_in_throttles").selectAll().execute();

  it("guesses at an account that is removed meanwhile get the answer of wrong passwords, and leave no trace", async () => {
    const { user } = await signUp(app);
    // Enough hashes are queued before this sign-in that the account is removed first.
    const flood = Array.from({ length: 40 }, (_, at) => login(`flood${at}`));
    const own = login(user.username);
    await vi.waitUntil(async () => (await throttles()).some((row) => row.user_id === user.id), { interval: 5 });
    await app.context.database.deleteFrom("users").where("id", "=", user.id).execute();
    expect((await own).status).toBe(401);
    await Promise.all(flood);
    expect((await throttles()).filter((row) => row.user_id === user.id)).toEqual([]);
  });

  it("guesses at an account that is removed meanwhile are counted like those at an unknown name", async () => {
    const { database } = app.context;
    const reserved = new Throttles({ database, clock, key: Buffer.from("key") });
    const gone = { key: `gone ${newId()}`, subject: "gone", userId: newId() };
    const guesser = { ...gone, purpose: "password", isKnown: false } as const;
    expect(await reserved.reserve(guesser)).toBeNull();
    expect(await throttles()).toContainEqual(expect.objectContaining({ key: guesser.key, user_id: null, failures: 1 }));
  });
});

it("J6 logs wrong and throttled passwords, the throttled ones with at most one row a minute", async () => {
  const { user } = await signUp(app);
  for (let count = 0; count < 50; count++) await login(user.username);
  const kinds = async () => {
    const rows = await app.context.database
      .selectFrom("security_events")
      .select("kind")
      .where("user_id", "=", user.id)
      .execute();
    return rows.map(({ kind }) => kind);
  };
  expect((await kinds()).filter((kind) => kind === "sign-in-failed")).toHaveLength(10);
  expect((await kinds()).filter((kind) => kind === "sign-in-throttled")).toHaveLength(1);
  clock.advance(500);
  await login(user.username);
  expect((await kinds()).filter((kind) => kind === "sign-in-throttled")).toHaveLength(1);
  const lines = app.logLines.map((line) => JSON.parse(line) as { event?: string; user?: string; ip?: string });
  const told = lines.filter((line) => line.user === user.id && line.event?.startsWith("sign-in-"));
  expect(told).toHaveLength(51);
  expect(told.every(({ ip }) => ip === "127.0.0.1")).toBe(true);
  clock.advance(2 * MINUTE);
  await guess(user.username, 1);
  await login(user.username);
  expect((await kinds()).filter((kind) => kind === "sign-in-throttled")).toHaveLength(2);
});
