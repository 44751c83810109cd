import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { SECOND } from "#contract/limits.ts";
import { accountContextOf } from "../../../testing/accounts/account-context.ts";
import { signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { flowOf } from "../../limits/flow-of.ts";
import { Passwords } from "../passwords.ts";
import { signIn } from "./sign-in.ts";

/** Maximum length of the queue. */
const QUEUE = 64;

let limited: TestApp;
const clock = new TestClock();
beforeAll(async () => {
  limited = await startTestApp({ clock, env: { TRUST_PROXY: "true", RATE_LIMITS: "on" } });
});
afterAll(() => limited[Symbol.asyncDispose]());

async function logIn(app: TestApp, { user, password }: TestAccount, ip: string): Promise<Response> {
  const headers = { "x-forwarded-for": ip };
  return app.call("POST", accountPaths.login, { headers, body: { username: user.username, password } });
}

it("K5 an account that fills the queue of hashes blocks no other sign-in, in its network or another", async () => {
  const flooding = await signUp(limited);
  const [neighbour, other] = [await signUp(limited), await signUp(limited)];
  const verified: string[] = [];
  const gate: (() => void)[] = [];
  const verify = async (_stored: string, password: Uint8Array) => {
    verified.push(Buffer.from(password).toString());
    await new Promise<void>((resolve) => gate.push(resolve));
    return true;
  };
  const passwords = new Passwords({ cores: 2, hasher: { hash: async () => "", verify } });
  const flows = vi.spyOn(passwords, "check");
  const accounts = { ...accountContextOf(limited), passwords };
  const { password_hash: stored } = await limited.context.database
    .selectFrom("users")
    .select("password_hash")
    .where("id", "=", flooding.user.id)
    .executeTakeFirstOrThrow();
  const flow = flowOf({ ip: "192.0.2.1" }, `user ${flooding.user.id}`);
  const flood = Array.from({ length: 1 + QUEUE }, () => passwords.check("flood", stored, { flow }));
  const outcomes = Promise.allSettled(flood);
  const enter = ({ user }: TestAccount, ip: string, password: string) =>
    signIn(
      accounts,
      { username: user.username, password },
      { ip, userAgent: "node", isBrowser: false, device: null, isLocal: true, isTrusted: false },
    );
  const entered = [enter(neighbour, "192.0.2.1", "neighbour"), enter(other, "198.51.100.1", "other")];
  // The newest two of the flood are refused in favour of the others.
  for (const at of [QUEUE, QUEUE - 1]) await expect(flood[at]).rejects.toMatchObject({ code: "unavailable" });
  for (const [{ user }, network] of [
    [neighbour, "192.0.2.1"],
    [other, "198.51.100.1"],
  ] as const) {
    const flow = { network, account: `user ${user.id}` };
    expect(flows).toHaveBeenCalledWith(expect.anything(), expect.anything(), expect.objectContaining({ flow }));
  }
  let isOver = false;
  const ended = outcomes.then(() => {
    isOver = true;
  });
  while (!isOver) {
    gate.shift()?.();
    await setImmediate();
  }
  await ended;
  expect(verified.slice(0, 4).sort()).toEqual(["flood", "flood", "neighbour", "other"]);
  const names = (await Promise.all(entered)).map((it) => ("session" in it ? it.session.user.username : null));
  expect(names.sort()).toEqual([neighbour.user.username, other.user.username].sort());
});

it("K5 B3 one account can sign in sixty times a minute, over all networks, and does not affect others", async () => {
  const person = await signUp(limited);
  const { limits } = limited.context;
  for (let count = 0; count < 57; count++) await limits.take("account-sign-in", `user ${person.user.id}`);
  const answers = Array.from({ length: 6 }, (_, at) => logIn(limited, person, `192.0.2.${at}`));
  const statuses = (await Promise.all(answers)).map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 200, 200, 429, 429, 429]);
  expect((await logIn(limited, await signUp(limited), "192.0.2.1")).status).toBe(200);
  clock.advance(60 * SECOND);
  expect((await logIn(limited, person, "192.0.2.1")).status).toBe(200);
});

it("K5 one network can sign in three hundred times a minute, over all accounts, and does not affect others", async () => {
  const { limits } = limited.context;
  for (let count = 0; count < 299; count++) await limits.take("network-sign-in", "203.0.113.1");
  const [first, second] = [await signUp(limited), await signUp(limited)];
  expect((await logIn(limited, first, "203.0.113.1")).status).toBe(200);
  const refused = await logIn(limited, second, "203.0.113.1");
  expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([429, 60]);
  expect((await logIn(limited, second, "203.0.113.2")).status).toBe(200);
});

it("K5 L4 wrong passwords do not use up the limit of right ones, for known and unknown names", async () => {
  const person = await signUp(limited);
  const nobody = { ...person, user: { ...person.user, username: "nobodyatall" } };
  const { limits } = limited.context;
  for (const [at, account] of [person, nobody].entries()) {
    for (let count = 0; count < 5; count++) {
      expect((await logIn(limited, { ...account, password: "a wrong one" }, `203.0.113.${at + 10}`)).status).toBe(401);
    }
  }
  for (let count = 0; count < 60; count++) await limits.take("account-sign-in", `user ${person.user.id}`);
  await expect(limits.take("account-sign-in", `user ${person.user.id}`)).rejects.toMatchObject({
    code: "too-many-requests",
  });
});
