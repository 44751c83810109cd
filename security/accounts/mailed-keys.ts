import { DAY, MINUTE, SECOND } from "#contract/limits.ts";
import { API_BASE, paths } from "#contract/paths.ts";
import { databaseRows } from "../clients/database-dump.ts";
import { keyIn, newPerson, newToken, nextKey, nextMail, register, signIn, signUp } from "../clients/person.ts";
import { sendRaw } from "../clients/raw.ts";
import type { Answer } from "../clients/send.ts";
import type { Ground, Part } from "../part.ts";
import type { Site } from "../site.ts";

const KEYS = 10_000;
const SHORT_KEYS = 300;
const RESENDS_AT_ONCE = 4;
const PARALLEL = 50;
const PUBLIC_URL = "http://127.0.0.1:3000";
/** 22 characters of base64url hold 128 bits. */
const KEY_MIN = 22;

/** D1–D8, D12: links in mails. */
export const mailedKeys: Part = {
  name: "mailed-keys",
  async run(ground) {
    await using site = await ground.startSite({ env: { PUBLIC_URL } });
    await tryKeys(ground, site);
    await tryLives(ground, site);
    await tryOnce(ground, site);
    await tryPurposes(ground, site);
    await tryLooking(ground, site);
    await tryHosts(ground, site);
    await tryTraces(ground, site);
    await tryOutage(ground, site);
    await tryWithoutServer(ground);
  },
};

const post = (site: Site, path: string, body: object): Promise<Answer> =>
  site.send({ method: "POST", path: API_BASE + path, body });
const verify = (site: Site, key: string) => post(site, paths.verify, { key });
const reset = (site: Site, key: string) => post(site, paths.resetPassword, { key, password: "a new password" });

async function tryKeys({ report, isShort }: Ground, site: Site): Promise<void> {
  const wanted = isShort ? SHORT_KEYS : KEYS;
  await report.try("D1", "keys in mails: length, letters, repeats", async (trial) => {
    const people = await Promise.all(Array.from({ length: RESENDS_AT_ONCE }, () => signUp(site)));
    const keys = new Set<string>();
    await Promise.all(
      people.map(async ({ email }) => {
        for (let times = 0; times < wanted / RESENDS_AT_ONCE; times++) {
          await post(site, paths.forgotPassword, { email });
          const key = await nextKey(site, email);
          trial.expect(/^[\w-]+$/.test(key) && key.length >= KEY_MIN, () => key);
          if (keys.has(key)) trial.fail(`${key} came twice`);
          keys.add(key);
        }
      }),
    );
    trial.note(`${keys.size} keys of ${[...keys][0]?.length} characters`);
  });
}

async function tryLives({ report }: Ground, site: Site): Promise<void> {
  await report.try("D2", "keys a second before and after their end", async (trial) => {
    const cases = [
      [
        "verification",
        DAY,
        async (email: string) => register(site, newPerson({ email, username: email.split("@")[0] ?? "" })),
        verify,
      ],
      ["reset", 30 * MINUTE, async (email: string) => post(site, paths.forgotPassword, { email }), reset],
    ] as const;
    for (const [name, lifeMs, ask, use] of cases) {
      for (const [afterMs, expected] of [
        [lifeMs - 20 * SECOND, 200],
        [lifeMs + SECOND, 400],
      ] as const) {
        const person = name === "reset" ? await signUp(site) : newPerson();
        await ask(person.email);
        const key = await nextKey(site, person.email);
        await site.server.setClock(afterMs);
        const { status } = await use(site, key);
        trial.expect(status === expected, () => `${name} after ${afterMs / SECOND} s: ${status}`);
        await site.server.setClock(0);
      }
    }
  });
}

async function tryOnce({ report }: Ground, site: Site): Promise<void> {
  await report.try("D3", `${PARALLEL} uses of one key at once, and one more`, async (trial) => {
    const person = newPerson();
    await register(site, person);
    const key = await nextKey(site, person.email);
    const wrong = await verify(site, "A".repeat(key.length));
    const all = await Promise.all(Array.from({ length: PARALLEL }, () => verify(site, key)));
    const right = all.filter(({ status }) => status === 200).length;
    trial.count(PARALLEL);
    if (right !== 1) trial.fail(`${right} succeeded`);
    for (const answer of [...all.filter(({ status }) => status !== 200), await verify(site, key)]) {
      trial.expect(
        answer.status === wrong.status && answer.text === wrong.text,
        () => `${answer.status} ${answer.text}`,
      );
    }
    const account = await signUp(site);
    await post(site, paths.forgotPassword, { email: account.email });
    const resetKey = await nextKey(site, account.email);
    const resets = await Promise.all(Array.from({ length: PARALLEL }, () => reset(site, resetKey)));
    const done = resets.filter(({ status }) => status === 200).length;
    trial.count(PARALLEL);
    // Each hashes a password: what finds the queue full is refused before it looks at the key.
    if (done !== 1) trial.fail(`${done} resets succeeded`);
  });
}

async function tryPurposes({ report }: Ground, site: Site): Promise<void> {
  await report.try("D4", "keys of each purpose for each other, and older ones", async (trial) => {
    const uses: Record<string, (key: string) => Promise<Answer>> = {
      verify: (key) => verify(site, key),
      reset: (key) => reset(site, key),
      "confirm address": (key) => post(site, paths.confirmEmail, { key }),
      "undo address": (key) => post(site, paths.undoEmail, { key }),
    };
    const keys = await keysOfEachPurpose(site);
    for (const [purpose, key] of Object.entries(keys)) {
      for (const [use, act] of Object.entries(uses)) {
        if (use === purpose) continue;
        const { status } = await act(key);
        trial.expect(status === 400, () => `a key to ${purpose} used to ${use}: ${status}`);
      }
    }
    for (const [purpose, key] of Object.entries(keys)) {
      const { status, text } = (await (uses[purpose] ?? uses.verify)?.(key)) ?? { status: 999, text: "" };
      trial.expect(status < 300, () => `a key to ${purpose} after all that: ${status} ${text}`);
    }
    const person = newPerson();
    await register(site, person);
    const older = await nextKey(site, person.email);
    await post(site, paths.resendVerification, { email: person.email });
    const newer = await nextKey(site, person.email);
    const statuses = [(await verify(site, older)).status, (await verify(site, newer)).status].join(" ");
    trial.expect(statuses === "400 200", () => `the older and the newer key: ${statuses}`);
    const account = await signUp(site);
    await post(site, paths.forgotPassword, { email: account.email });
    const olderReset = await nextKey(site, account.email);
    await post(site, paths.forgotPassword, { email: account.email });
    const newerReset = await nextKey(site, account.email);
    const resets = [(await reset(site, olderReset)).status, (await reset(site, newerReset)).status].join(" ");
    trial.expect(resets === "400 200", () => `the older and the newer reset key: ${resets}`);
  });
}

async function keysOfEachPurpose(site: Site): Promise<Record<string, string>> {
  const pending = newPerson();
  await register(site, pending);
  const forgetful = await signUp(site);
  await post(site, paths.forgotPassword, { email: forgetful.email });
  const [mover, moved] = [await signUp(site), await signUp(site)];
  const change = async (person: typeof mover, email: string) => {
    const token = await newToken(site, person);
    return site.send({ method: "POST", path: API_BASE + paths.email, token, body: { email } });
  };
  await change(mover, `new-${mover.email}`);
  await change(moved, `new-${moved.email}`);
  await post(site, paths.confirmEmail, { key: await nextKey(site, `new-${moved.email}`) });
  return {
    verify: await nextKey(site, pending.email),
    reset: await nextKey(site, forgetful.email),
    "confirm address": await nextKey(site, `new-${mover.email}`),
    "undo address": await nextKey(site, moved.email),
  };
}

async function tryLooking({ report }: Ground, site: Site): Promise<void> {
  await report.try("D6", "mail scanners that look at links, five times each", async (trial) => {
    const person = newPerson();
    await register(site, person);
    const { text } = await nextMail(site, person.email);
    const [link = ""] = /http:\/\/\S+\?key=\S+/.exec(text) ?? [];
    const path = link.slice(PUBLIC_URL.length);
    for (const method of ["GET", "HEAD", "GET", "OPTIONS", "GET", "HEAD", "GET", "GET"]) {
      const { status, headers, text: page } = await site.send({ method, path });
      trial.expect(status < 500, () => `${method}: ${status}`);
      if (method !== "GET") continue;
      trial.expect(headers["referrer-policy"] === "no-referrer", "the page sends a referrer");
      const external = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].filter(([, url = ""]) => !/^\/(?!\/)/.test(url));
      trial.expect(external.length === 0, () => `the page loads ${external.map(([, url]) => url).join(", ")}`);
    }
    const { status } = await verify(site, keyIn(text) ?? "");
    trial.expect(status === 200, `the key afterwards: ${status}`);
  });
}

async function tryHosts({ report }: Ground, site: Site): Promise<void> {
  await report.try("D8", "requests that claim another host", async (trial) => {
    const evil = "evil.example";
    const claims: Record<string, string>[] = [
      { host: evil },
      { host: `127.0.0.1:3000@${evil}` },
      { host: `${evil}:80` },
      { "x-forwarded-host": evil, "x-forwarded-proto": "https" },
      { "x-forwarded-server": evil },
      { "x-host": evil },
      { "x-original-host": evil },
      { forwarded: `host=${evil};proto=https` },
      { "x-original-url": `https://${evil}/` },
      { "x-forwarded-prefix": `//${evil}` },
      { origin: `http://${evil}` },
      { referer: `http://${evil}/` },
    ];
    for (const headers of claims) {
      const account = await signUp(site);
      const body = { email: account.email };
      const { status } = await site.send({ method: "POST", path: API_BASE + paths.forgotPassword, body, headers });
      if ("origin" in headers) {
        trial.expect(status === 403, `${JSON.stringify(headers)}: ${status}`);
        continue;
      }
      const { text, html } = await nextMail(site, account.email);
      const isOwn = text.includes(`${PUBLIC_URL}/reset-password?key=`) && !(text + html).includes(evil);
      trial.expect(isOwn, () => `${JSON.stringify(headers)}: ${text}`);
    }
    const account = await signUp(site);
    const body = JSON.stringify({ email: account.email });
    const head = `POST http://${evil}${API_BASE}${paths.forgotPassword} HTTP/1.1\r\nHost: ${evil}\r\nContent-Type: application/json\r\n`;
    await sendRaw(site.url, `${head}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`);
    await post(site, paths.forgotPassword, { email: account.email });
    const { text } = await nextMail(site, account.email);
    trial.expect(text.includes(PUBLIC_URL) && !text.includes(evil), () => `an absolute address: ${text}`);
  });
}

async function tryTraces({ report }: Ground, site: Site): Promise<void> {
  await report.try("D5", "keys in the database and in the log", async (trial) => {
    const [pending, account] = [newPerson(), await signUp(site)];
    await register(site, pending);
    await post(site, paths.forgotPassword, { email: account.email });
    const keys = [await nextKey(site, pending.email), await nextKey(site, account.email)];
    const places = { "the database": JSON.stringify(await databaseRows(site)), "the log": await site.logs() };
    for (const key of keys) {
      for (const [place, text] of Object.entries(places)) trial.expect(!text.includes(key), `${place} holds a key`);
    }
  });
  await report.try("D7", "keys in answers and their headers", async (trial) => {
    for (const path of [paths.resendVerification, paths.forgotPassword]) {
      const [pending, account] = [newPerson(), await signUp(site)];
      const registered = await register(site, pending);
      const first = await nextKey(site, pending.email);
      const { email } = path === paths.resendVerification ? pending : account;
      const asked = await post(site, path, { email });
      const key = await nextKey(site, email);
      const used = await verify(site, `${key}x`);
      for (const answer of [registered, asked, used]) {
        const told = answer.text + JSON.stringify(answer.headers);
        trial.expect(!told.includes(key) && !told.includes(first), () => told);
      }
    }
  });
}

async function tryOutage({ report }: Ground, site: Site): Promise<void> {
  await report.try("D12", "a mail server that is away, refuses, and dies in the middle (R10)", async (trial) => {
    const asEver = await register(site, newPerson());
    const people: ReturnType<typeof newPerson>[] = [];
    const states = [{ refuse: 451, at: "recipient" }, { refuse: 421, at: "data" }, "die-after-data"] as const;
    for (const state of [undefined, ...states]) {
      if (state) site.mail.state = state;
      else await site.mail.stop();
      const person = newPerson();
      const answer = await register(site, person);
      people.push(person);
      trial.expect(answer.status === 201 && answer.text === asEver.text, () => `${answer.status} ${answer.text}`);
      // The first attempt fails in this state.
      await new Promise((resolve) => setTimeout(resolve, 200));
      if (!state) await site.mail.start();
    }
    await site.server.end("SIGKILL");
    site.mail.state = "accept";
    // It has died only where a mail came.
    await site.mail.stop();
    await site.mail.start();
    await site.server.start();
    await site.server.setClock(20 * MINUTE);
    for (const person of people) {
      const { text } = await nextMail(site, person.email);
      trial.expect(keyIn(text) !== undefined, () => `${person.email} got a mail without a key`);
    }
    await site.server.setClock(0);
  });
}

async function tryWithoutServer(ground: Ground): Promise<void> {
  await ground.report.try("D5", "links on the console without a mail server, and only then", async (trial) => {
    await using site = await ground.startSite({ hasMailServer: false });
    const person = newPerson();
    await register(site, person);
    const deadline = performance.now() + 30_000;
    while (!/key=[\w-]+/.test(site.server.output) && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const key = keyIn(site.server.output) ?? "";
    trial.expect((await verify(site, key)).status === 200, "the printed key is good");
    trial.expect((await signIn(site, person)).status === 200, "and the account verified");
  });
}
