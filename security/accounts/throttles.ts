import { HOUR, MINUTE } from "#contract/limits.ts";
import { API_BASE, paths } from "#contract/paths.ts";
import { claimedOrigins } from "../attacks/forwarded.ts";
import { Browser } from "../clients/browser.ts";
import { newPerson, type Person, register, signIn, signUp } from "../clients/person.ts";
import type { Answer, Sending } from "../clients/send.ts";
import type { Ground, Part } from "../part.ts";
import type { Trial } from "../report.ts";
import { newChat } from "../routes/route-ground.ts";
import type { Site } from "../site.ts";

const PARALLEL = 200;
const SIGN_INS = 10;
const MANY_KEYS = 20_000;
const MANY_KEYS_MB = 100;

/** B1–B6, C4: with `RATE_LIMITS=on`. */
export const throttles: Part = {
  name: "throttles",
  async run(ground) {
    const databases = ground.hasPostgres ? (["sqlite", "postgres"] as const) : (["sqlite"] as const);
    for (const database of databases) {
      await using site = await ground.startSite({ hasLimits: true, hasGoogle: true, database });
      await tryParallel(ground, site, database);
    }
    await using site = await ground.startSite({ hasLimits: true, env: { TRUST_PROXY: "127.0.0.1" } });
    await tryAccount(ground, site);
    await tryClock(ground, site);
    await tryNetworks(ground, site);
    await tryNames(ground, site);
    if (!ground.isShort) await tryMany(ground, site);
    await using direct = await ground.startSite({ hasLimits: true });
    await tryEvasion(ground, direct);
    await tryRestart(ground, direct);
  },
};

type Limited = { name: string; allowed: number; sending(index: number): Sending };

const isEvaluated = ({ status }: Answer) => status !== 429;

/** What is limited by the network that asks, with what each may do in a window. */
function limitedByNetwork(): Limited[] {
  const post = (path: string, body: object): Sending => ({ method: "POST", path: API_BASE + path, body });
  return [
    {
      name: "sign-in of many names",
      allowed: SIGN_INS,
      sending: (index) => post(paths.login, { username: `spray${index}`, password: "Winter2026!" }),
    },
    {
      name: "keys",
      allowed: 30,
      sending: (index) =>
        post(index % 2 ? paths.verify : paths.resetPassword, { key: `k${index}`, password: "a new password" }),
    },
    { name: "Google", allowed: 20, sending: (index) => post(paths.google, { id_token: `a.b.${index}` }) },
    {
      name: "mails to many addresses",
      allowed: 100,
      sending: (index) => {
        const path = index % 2 ? paths.forgotPassword : paths.resendVerification;
        return post(path, { email: `nobody${index}@example.org` });
      },
    },
    {
      name: "mails to one address",
      allowed: 1,
      sending: (index) => {
        const path = index % 2 ? paths.forgotPassword : paths.resendVerification;
        return post(path, { email: index % 3 ? "one@example.org" : "One@Example.ORG" });
      },
    },
    { name: "registrations", allowed: 20, sending: () => post(paths.register, newPerson()) },
  ];
}

async function tryParallel({ report, isShort }: Ground, site: Site, database: string): Promise<void> {
  const { token } = await signUp(site);
  let hours = 0;
  // One kind of counter serves them all: a short run tries two on the second database.
  const isBrief = isShort && database === "postgres";
  for (const { name, allowed, sending } of limitedByNetwork().slice(0, isBrief ? 2 : undefined)) {
    await report.try("B3", `${PARALLEL} at once: ${name}, ${database}`, async (trial) => {
      // What came before counts too: the next window.
      hours += 2;
      await site.server.setClock(hours * HOUR);
      const answers = await Promise.all(Array.from({ length: PARALLEL }, (_, index) => site.send(sending(index))));
      expectLimit(trial, answers, allowed);
    });
  }
  await site.server.setClock(0);
  await report.try("B2", `chats of one account, ${database}`, async (trial) => {
    const sending = { method: "POST", path: API_BASE + paths.chats, token, body: {} };
    expectLimit(trial, await Promise.all(Array.from({ length: PARALLEL }, () => site.send(sending))), 60);
  });
}

function expectLimit(trial: Trial, answers: readonly Answer[], allowed: number): void {
  // Where the database did not answer in time, nothing was evaluated.
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

/** As a proxy on this machine tells where somebody comes from. */
const from = (address: string) => ({ "x-forwarded-for": address });

async function tryAccount({ report, isShort }: Ground, site: Site): Promise<void> {
  await report.try("B1", "guesses at one account from everywhere", async (trial) => {
    const person = await signUp(site);
    const browser = new Browser(site);
    await browser.open();
    const path = API_BASE + paths.login;
    const { username, password } = person;
    const known = await browser.send({ method: "POST", path, body: { username, password } });
    trial.expect(known.status === 200, `the owner's browser answered ${known.status}`);
    let evaluated = 0;
    let clock = 0;
    for (let guess = 0; guess < (isShort ? 25 : 140); guess++) {
      const headers = from(`198.51.${guess >> 8}.${guess & 255}`);
      const body = { username, password: `guess ${guess}` };
      const { status, headers: told } = await site.send({ method: "POST", path, body, headers });
      trial.count(1);
      if (status === 401) evaluated++;
      else if (status !== 429) trial.fail(`guess ${guess}: ${status}`);
      // By and by, as somebody patient.
      if (status === 429 && !isShort) {
        const waitMs = Number(told["retry-after"]) * 1000;
        if (waitMs > 900_000 + 1000 && evaluated < 100) trial.fail(`a wait of ${waitMs} ms`);
        clock += Math.min(waitMs, 900_000);
        await site.server.setClock(clock);
      }
    }
    trial.expect(evaluated <= (isShort ? 11 : 100), `${evaluated} guesses were evaluated`);
    const stranger = await site.send({
      method: "POST",
      path,
      body: { username, password },
      headers: from("203.0.113.9"),
    });
    trial.expect(stranger.status === 429, `the right password from a stranger answered ${stranger.status}`);
    await browser.open();
    const owner = await browser.send({
      method: "POST",
      path,
      body: { username, password },
      headers: from("203.0.113.10"),
    });
    trial.expect(owner.status === 200, `the right password in the owner's browser answered ${owner.status}`);
    await site.server.setClock(0);
  });
}

async function tryClock({ report }: Ground, site: Site): Promise<void> {
  await report.try("B1", "a clock that steps an hour, both ways (R19)", async (trial) => {
    const person = await signUp(site);
    for (let guess = 0; guess < 12; guess++) {
      await site.send({
        method: "POST",
        path: API_BASE + paths.login,
        body: { ...person, password: "x" },
        headers: from(`192.0.2.${guess}`),
      });
    }
    for (const [step, after] of [
      [-HOUR, 15 * MINUTE],
      [HOUR, 0],
    ] as const) {
      await site.server.setClock(step);
      const { status, headers } = await site.send({
        method: "POST",
        path: API_BASE + paths.login,
        body: person,
        headers: from(`192.0.3.${after ? 1 : 2}`),
      });
      const waitMs = Number(headers["retry-after"] ?? 0) * 1000;
      // Never more than twice the longest wait of the window.
      trial.expect(
        status === 200 || waitMs <= 30 * MINUTE,
        () => `after a step of ${step} ms: ${status}, ${waitMs} ms to wait`,
      );
    }
    await site.server.setClock(0);
    const limited = Array.from({ length: SIGN_INS + 1 }, (_, index) => index);
    await site.server.setClock(2 * HOUR);
    for (const index of limited) await signIn(site, { username: `clock${index}`, password: "x" });
    await site.server.setClock(HOUR);
    const { status, headers } = await signIn(site, { username: "clock", password: "x" });
    const waitMs = Number(headers["retry-after"] ?? 0) * 1000;
    trial.expect(status === 401 || waitMs <= 2 * MINUTE, () => `a limit after an hour back: ${status}, ${waitMs} ms`);
    await site.server.setClock(0);
  });
}

/** How many of these sign-ins, each from one address, are evaluated. */
async function evaluatedFrom(site: Site, addresses: readonly string[]): Promise<number> {
  let evaluated = 0;
  for (const [index, address] of addresses.entries()) {
    const body = { username: `net${people++}x${index}`, password: "a wrong password" };
    const answer = await site.send({ method: "POST", path: API_BASE + paths.login, body, headers: from(address) });
    if (isEvaluated(answer)) evaluated++;
  }
  return evaluated;
}

let people = 0;

async function tryNetworks({ report }: Ground, site: Site): Promise<void> {
  const hex = (index: number) => index.toString(16);
  const cases: [string, (index: number) => string, number][] = [
    ["one /64 of IPv6", (index) => `2001:db8:1:2:${hex(index)}::${hex(index * 7)}`, SIGN_INS],
    ["sixteen /64", (index) => `2001:db8:9:${hex(index)}::1`, 16],
    [
      "one IPv4 address, also in IPv6 clothes",
      (index) => (index % 2 ? "198.51.100.7" : "::ffff:198.51.100.7"),
      SIGN_INS,
    ],
    ["IPv4 in hex clothes", (index) => (index % 2 ? "198.51.100.8" : "::ffff:c633:6408"), SIGN_INS],
    ["no address at all", (index) => (index % 2 ? "unknown" : `x${index}`), SIGN_INS],
    ["a longer and longer chain", (index) => `${"203.0.113.1, ".repeat(index)}198.51.100.9`, SIGN_INS],
  ];
  await report.try("B4", "whom a proxy names: networks, clothes, nonsense", async (trial) => {
    for (const [name, addressOf, expected] of cases) {
      const evaluated = await evaluatedFrom(
        site,
        Array.from({ length: 16 }, (_, index) => addressOf(index)),
      );
      trial.expect(evaluated === expected, `${name}: ${evaluated} of 16 evaluated, ${expected} expected`);
    }
  });
}

async function tryNames({ report }: Ground, site: Site): Promise<void> {
  await report.try("C4", "asking whether usernames are free", async (trial) => {
    const taken = newPerson();
    await register(site, taken);
    const answers: Answer[] = [];
    for (let index = 0; index < 25; index++) {
      const body = newPerson({ username: taken.username, email: `asks${index}@example.org` });
      answers.push(
        await site.send({ method: "POST", path: API_BASE + paths.register, body, headers: from("198.51.100.20") }),
      );
    }
    expectLimit(trial, answers, 20);
    const told = answers.filter(({ text }) => text.includes(taken.email) || text.includes("@"));
    trial.expect(told.length === 0, () => `an answer holds an address: ${told[0]?.text}`);
  });
}

async function tryMany({ report }: Ground, site: Site): Promise<void> {
  await report.try("B5", `${MANY_KEYS} networks`, async (trial) => {
    const before = site.server.rssMb();
    const ask = (index: number) => {
      const address = `2001:db8:${(index >> 8).toString(16)}:${(index & 255).toString(16)}::1`;
      return site.send({ method: "POST", path: API_BASE + paths.verify, body: { key: "x" }, headers: from(address) });
    };
    for (let start = 0; start < MANY_KEYS; start += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, index) => ask(start + index)));
    }
    trial.count(MANY_KEYS);
    const growth = Math.round(site.server.rssMb() - before);
    trial.note(`memory +${growth} MB`);
    trial.expect(!(growth > MANY_KEYS_MB), "memory grows");
  });
}

async function tryEvasion({ report, random, isShort }: Ground, site: Site): Promise<void> {
  await report.try("B4", "headers that claim another origin, without a trusted proxy", async (trial) => {
    const answers: Answer[] = [];
    for (let index = 0; index < 40; index++) {
      const body = { username: `evade${index}`, password: "a wrong password" };
      answers.push(
        await site.send({ method: "POST", path: API_BASE + paths.login, body, headers: claimedOrigins(random) }),
      );
    }
    expectLimit(trial, answers, SIGN_INS);
  });
  const accounts = isShort ? 60 : 500;
  await report.try("B6", `one password over ${accounts} accounts, by every spelling of the route`, async (trial) => {
    await site.server.setClock(2 * MINUTE);
    let evaluated = 0;
    for (let index = 0; index < accounts; index++) {
      const path = [paths.login, `${paths.login}?x=${index}`][index % 2] ?? "";
      const username = [`person${index}`, `PERSON${index}`, `person${index}@example.org`][index % 3];
      const answer = await site.send({
        method: "POST",
        path: API_BASE + path,
        body: { username, password: "Winter2026!" },
      });
      if (isEvaluated(answer)) evaluated++;
      trial.count(1);
    }
    trial.expect(evaluated <= SIGN_INS, `${evaluated} were evaluated`);
    await site.server.setClock(0);
  });
}

async function tryRestart({ report }: Ground, site: Site): Promise<void> {
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
