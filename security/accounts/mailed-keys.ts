import { accountPaths } from "#contract/accounts/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { MINUTE } from "#contract/limits.ts";
import { waitFor } from "../../testing/app/wait-for.ts";
import type { Answer } from "../../testing/http/send.ts";
import { keyIn, newPerson, nextKey, nextMail, register, signUp } from "../clients/person.ts";
import type { Harness, Suite } from "../security-suite.ts";
import type { Site } from "../site.ts";

const KEYS = 10_000;
const SHORT_KEYS = 300;
const RESENDS_AT_ONCE = 4;
const PUBLIC_URL = "http://127.0.0.1:3000";
/** Shortest key: 22 characters of base64url are 128 bits. */
const KEY_MIN = 22;

/**
 * D1, D6, D12: links in mails of a server process. Purpose, lifetime and single use of a key (D2–D4, D7) and the host
 * of its link (D8) are tested in `server/accounts/registration/` and
 * `server/accounts/settings/change-email.engines.test.ts`,
 * and its storage (D5) in `server/mail/outbox.engines.test.ts`.
 */
export const mailedKeys: Suite = {
  name: "mailed-keys",
  async run(harness) {
    await using site = await harness.startSite({ env: { PUBLIC_URL } });
    await tryKeys(harness, site);
    await tryInspecting(harness, site);
    await tryOutage(harness, site);
  },
};

const post = (site: Site, path: string, body: object): Promise<Answer> =>
  site.send({ method: "POST", path: API_BASE + path, body });
const verify = (site: Site, key: string) => post(site, accountPaths.verify, { key });

async function tryKeys({ report, isShort }: Harness, site: Site): Promise<void> {
  const wanted = isShort ? SHORT_KEYS : KEYS;
  await report.try("D1", "keys in mails: length, letters, repeats", async (trial) => {
    const people = await Promise.all(Array.from({ length: RESENDS_AT_ONCE }, () => signUp(site)));
    const keys = new Set<string>();
    await Promise.all(
      people.map(async ({ email }) => {
        for (let times = 0; times < wanted / RESENDS_AT_ONCE; times++) {
          await post(site, accountPaths.forgotPassword, { email });
          const key = await nextKey(site, email);
          trial.expect(/^[\w-]+$/.test(key) && key.length >= KEY_MIN, () => key);
          if (keys.has(key)) trial.fail(`${key} was repeated`);
          keys.add(key);
        }
      }),
    );
    trial.note(`${keys.size} keys of ${[...keys][0]?.length} characters`);
  });
}

async function tryInspecting({ report }: Harness, site: Site): Promise<void> {
  await report.try("D6", "mail scanners that open links, five times each", async (trial) => {
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

/** Returns the ids of mails whose delivery has failed, from the log of the running process. */
function failedMails({ server }: Site): Set<string> {
  const lines = server.output.split("\n").filter((line) => line.includes("mail not delivered, will be retried"));
  return new Set(lines.map((line) => JSON.parse(line).mail));
}

async function tryOutage({ report }: Harness, site: Site): Promise<void> {
  await report.try(
    "D12",
    "a mail server that is unreachable, refuses, and dies during a delivery (R10)",
    async (trial) => {
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
        await waitFor("a failed delivery of each mail", () => failedMails(site).size >= people.length);
        if (!state) await site.mail.start();
      }
      await site.server.end("SIGKILL");
      site.mail.state = "accept";
      // In the state "dies" the mail server has stopped only if a mail arrived.
      await site.mail.stop();
      await site.mail.start();
      await site.server.start();
      await site.server.setClock(20 * MINUTE);
      for (const person of people) {
        const { text } = await nextMail(site, person.email);
        trial.expect(keyIn(text) !== undefined, () => `${person.email} got a mail without a key`);
      }
      await site.server.setClock(0);
    },
  );
}
