import { API_BASE, paths } from "#contract/paths.ts";
import { newPerson, newToken, nextMail, register, signIn, signUp } from "../clients/person.ts";
import type { Answer, Sending } from "../clients/send.ts";
import type { Ground, Part } from "../part.ts";
import type { Site } from "../site.ts";

/** C1, C2: what answers tell about who is there. */
export const enumeration: Part = {
  name: "enumeration",
  async run(ground) {
    await using site = await ground.startSite({ hasGoogle: true });
    await trySignIns(ground, site);
    await tryAddresses(ground, site);
  },
};

/** Everything by which answers can be told apart: status, bytes, names of headers in their order, and lengths. */
const visible = ({ status, text, headerNames, headers }: Answer) =>
  JSON.stringify([
    status,
    text,
    headerNames,
    headers["content-length"],
    headers["content-type"],
    headers["cache-control"],
  ]);

/** Random parts of cookies change from answer to answer; their lengths do not. */
const cookieShapes = ({ headers }: Answer) =>
  (headers["set-cookie"] ?? []).map((line) => line.replace(/=[^;]+/, (value) => `=${value.length}`)).join();

async function trySignIns({ report }: Ground, site: Site): Promise<void> {
  await report.try("C1", "failed sign-ins of every kind of account, by programs and browsers", async (trial) => {
    const verified = await signUp(site);
    const pending = newPerson();
    await register(site, pending);
    const google = "googleonly@gmail.com";
    const id_token = await site.keys.issueIdToken({
      email: google,
      sub: "77",
      given_name: "Only",
      family_name: "Google",
    });
    const made = await site.send({ method: "POST", path: API_BASE + paths.google, body: { id_token } });
    const { username: googleName } = JSON.parse(made.text).user;
    const leaving = await signUp(site);
    const deletion = {
      method: "POST",
      path: API_BASE + paths.accountDeletion,
      token: await newToken(site, leaving),
      body: { isImmediate: false },
    };
    const deleted = await site.send(deletion);
    trial.expect(deleted.status < 300, `a deletion answered ${deleted.status}`);
    const names = ["nobody", verified.username, pending.username, googleName, leaving.username, verified.email, google];
    const odd = ["no\0body", "\ud800", "' or 1=1 --", "a".repeat(254), "*", "%"];
    for (const headers of [{}, { "sec-fetch-site": "none" }] as Record<string, string>[]) {
      const answers = new Map<string, string>();
      for (const username of [...names, ...odd]) {
        const sending: Sending = {
          method: "POST",
          path: API_BASE + paths.login,
          body: { username, password: "a wrong password" },
          headers,
        };
        const answer = await site.send(sending);
        answers.set(username, visible(answer) + cookieShapes(answer));
      }
      const first = answers.get("nobody");
      for (const [name, told] of answers)
        trial.expect(told === first, () => `${JSON.stringify(name)}: ${told} but ${first}`);
    }
    const right = await signIn(site, pending);
    trial.expect(right.status === 403, `unverified, with the right password: ${right.status}`);
  });
}

async function tryAddresses({ report }: Ground, site: Site): Promise<void> {
  const known = await signUp(site);
  const pending = newPerson();
  await register(site, pending);
  const ask = (path: string, body: object): Promise<Answer> =>
    site.send({ method: "POST", path: API_BASE + path, body });
  await report.try(
    "C2",
    "registering with a known and an unknown address, and signing in afterwards",
    async (trial) => {
      const [one, two, three] = [newPerson({ email: known.email }), newPerson(), newPerson({ email: pending.email })];
      const answers = [await register(site, one), await register(site, two), await register(site, three)].map(visible);
      for (const answer of answers) trial.expect(answer === answers[0], () => `${answer} but ${answers[0]}`);
      const afterwards = [await signIn(site, one), await signIn(site, two), await signIn(site, three)].map(visible);
      for (const answer of afterwards) trial.expect(answer === afterwards[0], () => `${answer} but ${afterwards[0]}`);
      const wrong = [one, two, three].map((person) => signIn(site, { ...person, password: "a wrong password" }));
      const told = (await Promise.all(wrong)).map(visible);
      for (const answer of told) trial.expect(answer === told[0], () => `${answer} but ${told[0]}`);
      const mail = await nextMail(site, known.email);
      trial.expect(/already have an account/i.test(mail.subject), () => `the owner's mail says ${mail.subject}`);
    },
  );
  for (const path of [paths.resendVerification, paths.forgotPassword]) {
    await report.try("C2", `${path} for who is there, and who is not`, async (trial) => {
      const typed = [
        known.email,
        known.email.toUpperCase(),
        known.username,
        pending.email,
        pending.username,
        "nobody@example.org",
        "nobody",
        `${"a".repeat(60)}@example.org`,
      ];
      const answers: [string, string][] = [];
      for (const email of typed) answers.push([email, visible(await ask(path, { email }))]);
      const [, first] = answers[0] ?? [];
      for (const [email, told] of answers) trial.expect(told === first, () => `${email}: ${told} but ${first}`);
      // One that is sent last: when it is there, all that would be are.
      const last = newPerson();
      await register(site, last);
      await nextMail(site, last.email);
      const strays = site.mail.mails.filter(({ recipients }) => recipients.some((to) => to.startsWith("nobody")));
      trial.expect(strays.length === 0, "an unknown address got a mail");
    });
  }
}
