import { expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { MINUTE, SECOND } from "#contract/limits.ts";
import { newPerson, signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { Random } from "../../../testing/app/random.ts";
import { startTestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { insertUser } from "../account-store.ts";
import { toPendingAccount } from "./register.ts";

const clock = new TestClock();
const app = disposeAfterAll(await startTestApp({ clock, env: { RATE_LIMITS: "on", TRUST_PROXY: "true" } }));

/** A username and its address, and another person who asks about them from networks of their own. */
type World = { username: string; address: string; asker: TestAccount; network: string };

let worlds = 0;
async function newWorld(isKnown: boolean): Promise<World> {
  const { username, email: address } = newPerson();
  const claim = (at: number) => newPerson({ username: `${username}n${at}`, email: address });
  if (isKnown) await signUp(app, { username, email: address });
  for (const at of isKnown ? [1, 2, 3] : []) {
    await insertUser(app.context.database, toPendingAccount(claim(at), "", clock.now()));
  }
  return { username, address, asker: await signUp(app), network: `2001:db8:${++worlds}` };
}

type Step = { world: World; name: string; from: number; at: number };

/** Requests that could reveal an account. Each answer may depend only on earlier requests. */
const questions: Record<string, (step: Step) => Promise<Response>> = {
  resend: (step) => ask(step, accountPaths.resendVerification, { email: step.name }),
  forgot: (step) => ask(step, accountPaths.forgotPassword, { email: step.name }),
  register: (step) => {
    const { world, at } = step;
    return ask(
      step,
      accountPaths.register,
      newPerson({ username: `${world.username}at${at}`, email: addressIn(step) }),
    );
  },
  changeEmail: async (step) => {
    const { user, token } = step.world.asker;
    const sessions = app.context.database.updateTable("sessions").where("user_id", "=", user.id);
    await sessions.set({ proved_at: clock.now() }).execute();
    return ask(step, accountPaths.email, { email: addressIn(step) }, token);
  },
};

const addressIn = ({ world, name }: Step) => (name.includes("@") ? name : world.address);
const ask = ({ world, from }: Step, path: string, body: unknown, token?: string) => {
  const headers = { "x-forwarded-for": `${world.network}:${from}::1` };
  return app.call("POST", path, { headers, body, ...(token !== undefined && { token }) });
};

const namesIn = ({ username, address }: World): [string, ...string[]] => [
  username,
  address,
  username.toUpperCase(),
  address.toUpperCase(),
  address.replace("@", "+tag@"),
];

it.each(["one", "two", "three"])(
  "L4 C2 existing and unknown accounts get the same answers to any sequence of requests (seed %s)",
  async (seed) => {
    const random = new Random(`L4 ${seed}`);
    const both = [await newWorld(true), await newWorld(false)];
    const refused = { count: 0 };
    for (let at = 0; at < 40; at++) {
      const question = random.pick(Object.keys(questions) as [string, ...string[]]);
      const name = random.between(0, 4);
      const from = random.between(1, 6);
      const answers = await Promise.all(
        both.map(async (world) => {
          const answer = await questions[question]?.({ world, name: namesIn(world)[name] ?? "", from, at });
          return [answer?.status, answer?.headers.get("retry-after"), (await answer?.text())?.length];
        }),
      );
      expect([at, question, name, answers[0]]).toEqual([at, question, name, answers[1]]);
      if (answers[0]?.[0] === 429) refused.count++;
      clock.advance(random.pick([0, SECOND, 20 * SECOND, MINUTE]));
    }
    // Some requests must be accepted and some refused, otherwise nothing was compared.
    expect(refused.count).toBeGreaterThan(5);
    expect(refused.count).toBeLessThan(35);
  },
);
