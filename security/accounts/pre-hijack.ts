import { API_BASE, paths } from "#contract/paths.ts";
import { Browser } from "../clients/browser.ts";
import { newPerson, newToken, nextKey, register, signIn, signUp } from "../clients/person.ts";
import { jsonOf } from "../clients/send.ts";
import type { Ground, Part } from "../part.ts";
import type { Site } from "../site.ts";

/** D11: a stranger was there first, with somebody else's address. With Google's owner: `google.ts`. */
export const preHijack: Part = {
  name: "pre-hijack",
  async run(ground) {
    await using site = await ground.startSite();
    await tryFirstComers(ground, site);
    await tryAskers(ground, site);
    await tryWanted(ground, site);
  },
};

async function tryFirstComers({ report }: Ground, site: Site): Promise<void> {
  await report.try("D11", "an address that a stranger registered first, then its owner by mail", async (trial) => {
    const email = `victim${Date.now()}@example.org`;
    const attacker = newPerson({ email, password: "password of the attacker" });
    await register(site, attacker);
    const attackersKey = await nextKey(site, email);
    const victim = newPerson({ email });
    await register(site, victim);
    const key = await nextKey(site, email);
    const verified = await site.send({ method: "POST", path: API_BASE + paths.verify, body: { key } });
    trial.expect(verified.status === 200, `the owner's key: ${verified.status}`);
    const { user } = jsonOf<{ user: { username: string } }>(verified);
    trial.expect(user.username === victim.username, `the owner is ${user.username}`);
    const again = await site.send({ method: "POST", path: API_BASE + paths.verify, body: { key: attackersKey } });
    trial.expect(again.status === 400, `the attacker's key afterwards: ${again.status}`);
    const { status } = await signIn(site, attacker);
    trial.expect(status === 401, `the attacker's password afterwards: ${status}`);
  });
  await report.try(
    "D11",
    "a stranger's account whose mail is followed by the address's owner in a browser",
    async (trial) => {
      const email = `followed${Date.now()}@example.org`;
      const attacker = newPerson({ email, password: "password of the attacker" });
      await register(site, attacker);
      const browser = new Browser(site);
      await browser.open();
      const key = await nextKey(site, email);
      const verified = await browser.send({ method: "POST", path: API_BASE + paths.verify, body: { key } });
      trial.expect(verified.status === 200, `the key: ${verified.status}`);
      const answer = await signIn(site, attacker);
      trial.expect(answer.status !== 200, `the attacker's password signs in: ${answer.status}`);
    },
  );
}

async function tryAskers({ report }: Ground, site: Site): Promise<void> {
  for (const path of [paths.forgotPassword, paths.resendVerification]) {
    await report.try(
      "D11",
      `a stranger's account, and the address's owner who asks ${path} in a browser`,
      async (trial) => {
        const email = `asks${Date.now()}@example.org`;
        const attacker = newPerson({ email, password: "password of the attacker" });
        await register(site, attacker);
        await nextKey(site, email);
        const browser = new Browser(site);
        await browser.open();
        const asked = await browser.send({ method: "POST", path: API_BASE + path, body: { email } });
        trial.expect(asked.status === 200, `asking: ${asked.status}`);
        const key = await nextKey(site, email);
        const used = await browser.send({ method: "POST", path: API_BASE + paths.verify, body: { key } });
        trial.expect(used.status < 500, `the key: ${used.status}`);
        const { status } = await signIn(site, attacker);
        trial.expect(status !== 200, `the attacker's password signs in: ${status}`);
      },
    );
  }
}

async function tryWanted({ report }: Ground, site: Site): Promise<void> {
  await report.try(
    "D11",
    "an address that an attacker has asked to change to, then its owner registers",
    async (trial) => {
      const attacker = await signUp(site);
      const email = `wanted${Date.now()}@example.org`;
      const token = await newToken(site, attacker);
      await site.send({ method: "POST", path: API_BASE + paths.email, token, body: { email } });
      const attackersKey = await nextKey(site, email);
      const victim = await signUp(site, { email });
      const { status } = await site.send({
        method: "POST",
        path: API_BASE + paths.confirmEmail,
        body: { key: attackersKey },
      });
      trial.expect(status === 400, `the attacker's key afterwards: ${status}`);
      const me = jsonOf<{ email: string }>(await site.send({ path: API_BASE + paths.me, token }));
      trial.expect(me.email === attacker.email && victim.user.email === email, () => `the attacker has ${me.email}`);
    },
  );
}
