import { MINUTE } from "#contract/limits.ts";
import { API_BASE, paths } from "#contract/paths.ts";
import { keyIn, newPerson, nextKey, nextMail, register, signUp } from "../clients/person.ts";
import { sendRaw } from "../clients/raw.ts";
import type { Answer } from "../clients/send.ts";
import type { Ground, Part } from "../part.ts";
import type { Site } from "../site.ts";

const KEYS = 10_000;
const SHORT_KEYS = 300;
const RESENDS_AT_ONCE = 4;
const PUBLIC_URL = "http://127.0.0.1:3000";
/** 22 characters of base64url hold 128 bits. */
const KEY_MIN = 22;

/**
 * D1, D6, D8, D12: links in mails, as a server process sends them. What a key opens, for how long and how often (D2–D4,
 * D7) is tested in `server/accounts/registration/` and `server/accounts/settings/change-email.test.ts`, and where a key is
 * stored (D5) there and in `server/mail/outbox.test.ts`.
 */
export const mailedKeys: Part = {
  name: "mailed-keys",
  async run(ground) {
    await using site = await ground.startSite({ env: { PUBLIC_URL } });
    await tryKeys(ground, site);
    await tryLooking(ground, site);
    await tryHosts(ground, site);
    await tryOutage(ground, site);
  },
};

const post = (site: Site, path: string, body: object): Promise<Answer> =>
  site.send({ method: "POST", path: API_BASE + path, body });
const verify = (site: Site, key: string) => post(site, paths.verify, { key });

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

async function tryLooking({ report }: Ground, site: Site): Promise<void> {
  await report.try("D6", "mail scanners that look at links, five times each", async (trial) => {
    const person = newPerson();
    await register(site, person);
    const { text } = await nextMail(site, person.email);
    const [link = ""] = /http:\/\/\S+[?#]key=\S+/.exec(text) ?? [];
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
      const isOwn = text.includes(`${PUBLIC_URL}/reset-password#key=`) && !(text + html).includes(evil);
      trial.expect(isOwn, () => `${JSON.stringify(headers)}: ${text}`);
    }
    const account = await signUp(site);
    const body = JSON.stringify({ email: account.email });
    const head = `POST http://${evil}${API_BASE}${paths.forgotPassword} HTTP/1.1\r\nHost: ${evil}\r\nContent-Type: application/json\r\n`;
    const refused = await sendRaw(
      site.url,
      `${head}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
    trial.expect(refused.startsWith("HTTP/1.1 400 "), () => `an absolute-form target: ${refused.split("\r\n")[0]}`);
    await post(site, paths.forgotPassword, { email: account.email });
    const { text } = await nextMail(site, account.email);
    trial.expect(text.includes(PUBLIC_URL) && !text.includes(evil), () => `an absolute address: ${text}`);
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
