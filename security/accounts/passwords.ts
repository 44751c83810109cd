import { dictionary } from "@zxcvbn-ts/language-common";
import { API_BASE, paths } from "#contract/paths.ts";
import { databaseRows } from "../clients/database-dump.ts";
import { inBatches } from "../clients/in-batches.ts";
import { newPerson, newToken, nextKey, nextMail, register, signIn, signUp } from "../clients/person.ts";
import type { Ground, Part } from "../part.ts";
import type { Site } from "../site.ts";

const FLOOD = 500;
const SHORT_FLOOD = 120;
const RSS_GROWTH_MB = 300;
const HEALTH_P95_MS = 1000;
const REFUSED_WITHIN_MS = 50;
const SHORT_COMMON = 50;
const COMMON = 5000;

/** A1–A7. */
export const passwords: Part = {
  name: "passwords",
  async run(ground) {
    await using site = await ground.startSite();
    await tryLengths(ground, site);
    await tryWholeness(ground, site);
    await tryStored(ground, site);
    await tryChange(ground, site);
    await tryFlood(ground, site);
    await using strict = await ground.startSite({ env: { PASSWORD_POLICY: "strict" } });
    await tryCommon(ground, { strict, plain: site });
  },
};

async function tryLengths({ report, isShort }: Ground, site: Site): Promise<void> {
  await report.try("A1", "lengths around the limits, in code points and bytes", async (trial) => {
    for (const [password, expected] of [
      ["", 400],
      ["1234567", 400],
      ["😀".repeat(7), 400],
      ["12345678", 201],
      ["😀".repeat(8), 201],
      ["a".repeat(64), 201],
      ["密".repeat(256), 201],
      ["😀".repeat(256), 201],
      ["a".repeat(257), 400],
      ["a".repeat(1025), 400],
      ["😀".repeat(257), 400],
      ["a".repeat(900_000), 400],
    ] as const) {
      const { status } = await register(site, newPerson({ password }));
      trial.expect(status === expected, () => `${[...password].length} of ${password.slice(0, 2)}: ${status}`);
    }
    for (const password of ["a".repeat(1025), "a".repeat(900_000)]) {
      for (const path of [paths.login, paths.resetPassword, paths.register]) {
        const body = { ...newPerson(), key: "a", password };
        const { status, ms } = await site.send({ method: "POST", path: API_BASE + path, body });
        const isQuick = isShort || ms < REFUSED_WITHIN_MS;
        trial.expect(
          status === 400 && isQuick,
          () => `${path} with ${password.length}: ${status}, ${Math.round(ms)} ms`,
        );
      }
    }
  });
  await report.try("A1", "empty and odd passwords at the sign-in (V11)", async (trial) => {
    const { username } = await signUp(site);
    for (const password of ["", " ", null, [], {}, true, 0, ["correct horse battery"], { $ne: "" }, "\0"]) {
      const body = { username, password };
      const { status } = await site.send({ method: "POST", path: API_BASE + paths.login, body });
      trial.expect(status === 400 || status === 401, () => `${JSON.stringify(password)}: ${status}`);
    }
  });
}

async function tryWholeness({ report }: Ground, site: Site): Promise<void> {
  const long = "x".repeat(72);
  const tryPair = async (password: string, other: string): Promise<string> => {
    const person = newPerson({ password });
    const registered = await register(site, person);
    const wrong = await signIn(site, { ...person, password: other });
    // Right, but not verified yet.
    const right = await signIn(site, person);
    return `${registered.status} ${wrong.status} ${right.status}`;
  };
  await report.try("A2", "passwords alike in 72 bytes, up to a NUL, or but for a space", async (trial) => {
    for (const [one, two] of [
      [`${long}one`, `${long}two`],
      ["before\0after", "before\0later"],
      ["eight ch\0", "eight ch"],
      ["a sentence as password", "a sentence as passwor"],
      ["a sentence as password", "A sentence as password"],
      ["a sentence as password ", "a sentence as password"],
      [" a sentence as password", "a sentence as password"],
      ["y".repeat(256), "y".repeat(255)],
    ] as const) {
      const told = await tryPair(one, two);
      trial.expect(told === "201 401 403", () => `${JSON.stringify(one)}: ${told}`);
    }
  });
  await report.try("A3", "letters only, spaces within, emoji, other scripts", async (trial) => {
    for (const password of [
      "abcdefghijklmnopqrst",
      "a b c d e f g h",
      "😀😃😄😁😆😅🤣😂",
      "密码密码密码密码",
      "пароль пароль",
      "كلمة المرور",
      "12345678901234567890",
      "!!!!!!!!",
      "e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301",
    ]) {
      const told = await tryPair(password, `${password}x`);
      trial.expect(told === "201 401 403", () => `${password}: ${told}`);
    }
  });
}

async function tryStored({ report }: Ground, site: Site): Promise<void> {
  await report.try("A5", "hashes as the database holds them", async (trial) => {
    const { users = [] } = await databaseRows(site);
    const hashes = users.map(({ password_hash }) => String(password_hash));
    for (const hash of hashes) {
      const [, memory = 0, times = 0, lanes = 0, salt = ""] =
        /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$[^$]+$/.exec(hash) ?? [];
      const isStrong = Number(memory) >= 19_456 && Number(times) >= 2 && Number(lanes) === 1;
      trial.expect(isStrong && Buffer.from(salt, "base64").length >= 16, hash);
    }
    trial.expect(new Set(hashes).size === hashes.length, "two hashes are alike");
  });
}

async function tryChange({ report }: Ground, site: Site): Promise<void> {
  await report.try("A7", "changing the password", async (trial) => {
    const signedUp = await signUp(site);
    const other = signedUp.token;
    // A sign-in by password is a proof.
    const person = { ...signedUp, token: await newToken(site, signedUp) };
    const wanted = { email: "thief@example.org" };
    await site.send({ method: "POST", path: API_BASE + paths.email, token: person.token, body: wanted });
    const thiefsKey = await nextKey(site, wanted.email);
    const change = (body: object) =>
      site.send({ method: "POST", path: API_BASE + paths.password, token: person.token, body });
    for (const body of [
      { password: "another password" },
      { currentPassword: "", password: "another password" },
      { currentPassword: "wrong password", password: "another password" },
      { currentPassword: [person.password], password: "another password" },
      { currentPassword: person.password, password: "short" },
    ]) {
      const { status } = await change(body);
      trial.expect(status >= 400 && status < 500, () => `${JSON.stringify(body)}: ${status}`);
    }
    const statusOf = async (token: string) => (await site.send({ path: API_BASE + paths.me, token })).status;
    trial.expect((await statusOf(other)) === 200, "refusals end no session");
    const { status, text } = await change({ currentPassword: person.password, password: "another password" });
    trial.expect(status < 300, () => `the change answered ${status} ${text}`);
    const statuses = [await statusOf(other), await statusOf(person.token)].join(" ");
    trial.expect(statuses === "401 200", () => `the other session and this one: ${statuses}`);
    const confirmed = await site.send({
      method: "POST",
      path: API_BASE + paths.confirmEmail,
      body: { key: thiefsKey },
    });
    trial.expect(confirmed.status === 400, `an address that was asked for before: ${confirmed.status}`);
    const signIns = [await signIn(site, person), await signIn(site, { ...person, password: "another password" })];
    trial.expect(signIns.map((one) => one.status).join(" ") === "401 200", "the new password alone signs in");
    const subjects: string[] = [];
    while (!subjects.some((subject) => /password .*changed/i.test(subject))) {
      subjects.push((await nextMail(site, person.email)).subject);
    }
    trial.count(1);
  });
}

async function tryFlood({ report, isShort }: Ground, site: Site): Promise<void> {
  const times = isShort ? SHORT_FLOOD : FLOOD;
  await report.try("A6", `${times} sign-ins at once beside /healthz`, async (trial) => {
    const { pid } = site.server;
    const before = site.server.rssMb();
    let peak = before;
    const health: number[] = [];
    const names = Array.from({ length: times }, (_, index) => `nobody${index}`);
    let isOver = false;
    const watching = (async () => {
      while (!isOver) {
        health.push((await site.send({ path: "/healthz" })).ms);
        peak = Math.max(peak, site.server.rssMb());
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })();
    await inBatches(
      names,
      async (username) => {
        const { status, headers } = await signIn(site, { username, password: "a wrong password" });
        const isRefused = status === 503 && Number(headers["retry-after"]) > 0;
        trial.expect(status === 401 || isRefused, () => `${status}`);
      },
      times,
    );
    isOver = true;
    await watching;
    health.sort((a, b) => a - b);
    const p95 = health[Math.floor(health.length * 0.95)] ?? 0;
    trial.note(`/healthz p95 ${Math.round(p95)} ms, memory +${Math.round(peak - before)} MB`);
    trial.expect(isShort || p95 < HEALTH_P95_MS, "/healthz is slow");
    trial.expect(!(peak - before > RSS_GROWTH_MB), "memory grows");
    trial.expect(site.server.pid === pid, "the process is the same");
  });
}

async function tryCommon(
  { report, random, isShort }: Ground,
  { strict, plain }: { strict: Site; plain: Site },
): Promise<void> {
  const fitting = (dictionary["passwords-common"] ?? []).map(String).filter((word) => word.length >= 8);
  const chosen = random.sample(fitting, isShort ? SHORT_COMMON : COMMON);
  await report.try("A4", "common passwords under PASSWORD_POLICY=strict", async (trial) => {
    await inBatches(chosen, async (password) => {
      const { status } = await register(strict, newPerson({ password }));
      trial.expect(status === 400, () => `${password}: ${status}`);
    });
    const person = newPerson({ username: "verylongusername" });
    const own = [person.username, person.email, "verylongusername1", "verylongusername2026", "PARLEY123", "parley2026"];
    for (const password of own) {
      const { status, text } = await register(strict, { ...person, password });
      trial.expect(status === 400 && /password/i.test(text), () => `${password}: ${status} ${text}`);
    }
    const { status } = await register(strict, { ...person, password: "plum kettle orbit sand" });
    trial.expect(status === 201, `a good password answered ${status}`);
  });
  await report.try("A4", "the same without it", async (trial) => {
    for (const password of chosen.slice(0, 5)) {
      const { status } = await register(plain, newPerson({ password }));
      trial.expect(status === 201, () => `${password}: ${status}`);
    }
  });
}
