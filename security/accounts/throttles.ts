import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { HOUR } from "#contract/limits.ts";
import type { Answer, OutgoingRequest } from "../../testing/http/send.ts";
import { newPerson, type Person, signIn, signUp } from "../clients/person.ts";
import type { Trial } from "../report.ts";
import { newChat } from "../routes/route-harness.ts";
import type { Harness, Suite } from "../security-suite.ts";
import type { Site } from "../site.ts";
import { median } from "./samples.ts";

const PARALLEL = 200;
/** Accounts with wrong passwords from one network in ten minutes. */
const SIGN_INS = 30;
const MANY_KEYS = 10_000;
/** Allowed memory growth for this many networks: 1 kB each. */
const MANY_KEYS_MB = 10;
/** Number of rounds: retained memory grows in each round, uncollected garbage only in some. */
const TIMES = 5;
/** Small heap, so that garbage is collected; the young generation has the size of `npm start`. */
const HEAP_MB = 64;

/**
 * B2, B3, B5 with `RATE_LIMITS=on`: floods, memory and a kill. Delays, networks, password spraying (B1, B4, B6) and
 * usernames (C4) are tested in `server/limits/`, `server/accounts/sessions/throttles.engines.test.ts` and
 * `server/accounts/recovery/recovery.test.ts`.
 */
export const throttles: Suite = {
  name: "throttles",
  async run(harness) {
    const databases = harness.hasPostgres ? (["sqlite", "postgres"] as const) : (["sqlite"] as const);
    for (const database of databases) {
      await using site = await harness.startSite({ hasLimits: true, hasGoogle: true, database });
      await tryParallel(harness, site, database);
    }
    if (!harness.isShort) await tryMany(harness);
    await using direct = await harness.startSite({ hasLimits: true });
    await tryRestart(harness, direct);
  },
};

type Limited = { name: string; allowed: number; sending(index: number): OutgoingRequest };

const isEvaluated = ({ status }: Answer) => status !== 429;

/** Requests that are limited by network, with the number that each network may send in a window. */
function limitedByNetwork(): Limited[] {
  const post = (path: string, body: object): OutgoingRequest => ({ method: "POST", path: API_BASE + path, body });
  return [
    {
      name: "sign-in of many names",
      allowed: SIGN_INS,
      sending: (index) => post(accountPaths.login, { username: `spray${index}`, password: "Winter2026!" }),
    },
    {
      name: "keys",
      allowed: 30,
      sending: (index) =>
        post(index % 2 ? accountPaths.verify : accountPaths.resetPassword, {
          key: `k${index}`,
          password: "a new password",
        }),
    },
    { name: "Google", allowed: 20, sending: (index) => post(accountPaths.google, { id_token: `a.b.${index}` }) },
    {
      name: "mails to many addresses",
      allowed: 100,
      sending: (index) => {
        const path = index % 2 ? accountPaths.forgotPassword : accountPaths.resendVerification;
        return post(path, { email: `nobody${index}@example.org` });
      },
    },
    {
      name: "mails to one address",
      allowed: 1,
      sending: (index) => {
        const path = index % 2 ? accountPaths.forgotPassword : accountPaths.resendVerification;
        return post(path, { email: index % 3 ? "one@example.org" : "One@Example.ORG" });
      },
    },
    { name: "registrations", allowed: 100, sending: () => post(accountPaths.register, newPerson()) },
  ];
}

async function tryParallel({ report, isShort }: Harness, site: Site, database: string): Promise<void> {
  const { token } = await signUp(site);
  let hours = 0;
  // All use one kind of counter, so a short run tries two on the second database.
  const isBrief = isShort && database === "postgres";
  for (const { name, allowed, sending } of limitedByNetwork().slice(0, isBrief ? 2 : undefined)) {
    await report.try("B3", `${PARALLEL} at once: ${name}, ${database}`, async (trial) => {
      // Moves to the next window, because earlier requests count too.
      hours += 2;
      await site.server.setClock(hours * HOUR);
      const answers = await Promise.all(Array.from({ length: PARALLEL }, (_, index) => site.send(sending(index))));
      expectLimit(trial, answers, allowed);
    });
  }
  await site.server.setClock(0);
  await report.try("B2", `chats of one account, ${database}`, async (trial) => {
    const sending = { method: "POST", path: API_BASE + conversationPaths.chats, token, body: {} };
    expectLimit(trial, await Promise.all(Array.from({ length: PARALLEL }, () => site.send(sending))), 60);
  });
}

function expectLimit(trial: Trial, answers: readonly Answer[], allowed: number): void {
  // Requests that the database did not answer in time were not evaluated.
  const away = answers.filter(({ status }) => status === 503).length;
  const evaluated = answers.filter(isEvaluated).length - away;
  const unforeseen = answers.find(({ status }) => status >= 500 && status !== 503);
  trial.count(answers.length);
  if (away > 0) trial.note(`${away} answered 503`);
  if (evaluated > allowed || evaluated < allowed - away) trial.fail(`${evaluated} evaluated, ${allowed} allowed`);
  if (unforeseen) trial.fail(`one answered ${unforeseen.status}`);
  for (const { status, headers } of answers) {
    if (status === 429 && !/^[1-9]\d*$/.test(headers["retry-after"] ?? ""))
      trial.fail(`Retry-After: ${headers["retry-after"]}`);
  }
}

/** Header with which a local proxy reports the client's address. */
const from = (address: string) => ({ "x-forwarded-for": address });

/** Checks that the server retains no memory for each network; the first round warms it up. */
async function tryMany({ report, startSite }: Harness): Promise<void> {
  const env = { TRUST_PROXY: "127.0.0.1", NODE_OPTIONS: `--max-old-space-size=${HEAP_MB} --max-semi-space-size=8` };
  await using site = await startSite({ hasLimits: true, env });
  await report.try("B5", `${TIMES} times ${MANY_KEYS} networks`, async (trial) => {
    const ask = (index: number) => {
      const address = `2001:db8:${(index >> 8).toString(16)}:${(index & 255).toString(16)}::1`;
      return site.send({
        method: "POST",
        path: API_BASE + accountPaths.verify,
        body: { key: "x" },
        headers: from(address),
      });
    };
    const askMany = async (first: number) => {
      for (let start = first; start < first + MANY_KEYS; start += 100) {
        await Promise.all(Array.from({ length: 100 }, (_, index) => ask(start + index)));
      }
      return site.server.rssMb();
    };
    const sizes: number[] = [];
    for (let time = 0; time < TIMES; time++) sizes.push(await askMany(time * MANY_KEYS));
    const growths = sizes.slice(1).map((size, index) => Math.round(size - (sizes[index] ?? size)));
    trial.count(TIMES * MANY_KEYS);
    trial.note(`memory ${growths.map((growth) => `${growth < 0 ? "" : "+"}${growth}`).join(", ")} MB`);
    trial.expect(!(median(growths) > MANY_KEYS_MB), "memory grows");
  });
}

async function tryRestart({ report }: Harness, site: Site): Promise<void> {
  await report.try("B5", "counters after SIGKILL and a new start", async (trial) => {
    const person: Person = await signUp(site);
    await newChat(site, person);
    for (let index = 0; index <= SIGN_INS; index++) await signIn(site, { username: `kill${index}`, password: "x" });
    await site.server.end("SIGKILL");
    await site.server.start();
    const { status, headers } = await signIn(site, { username: "killed", password: "x" });
    trial.expect(status === 429 && Number(headers["retry-after"]) > 0, `after the kill: ${status}`);
  });
}
