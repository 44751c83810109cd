import { API_BASE, paths } from "#contract/paths.ts";
import { badAddresses, goodAddresses, noAddresses } from "../attacks/addresses.ts";
import { databaseRows } from "../clients/database-dump.ts";
import { newPerson, nextMail, register } from "../clients/person.ts";
import type { Answer } from "../clients/send.ts";
import type { Part } from "../part.ts";
import type { Report } from "../report.ts";
import type { Site } from "../site.ts";

/** D9: what is no address, and what may stand in a mail. */
export const addresses: Part = {
  name: "addresses",
  async run({ report, startSite }) {
    await using site = await startSite();
    await tryNone(report, site);
    await tryUnusual(report, site);
  },
};

const post = (site: Site, path: string, body: object): Promise<Answer> =>
  site.send({ method: "POST", path: API_BASE + path, body });

async function tryNone(report: Report, site: Site): Promise<void> {
  await report.try("D9", "addresses that are none", async (trial) => {
    const before = new Set(site.mail.mails);
    for (const email of [...badAddresses, ...noAddresses]) {
      const { status } = await post(site, paths.register, { ...newPerson(), email });
      trial.expect(status === 400, () => `${JSON.stringify(email)}: ${status}`);
      await post(site, paths.resendVerification, { email });
      await post(site, paths.forgotPassword, { email });
    }
    const last = newPerson();
    await register(site, last);
    await nextMail(site, last.email);
    const { users = [] } = await databaseRows(site);
    const known = new Set(users.map((user) => user.email));
    const strays = site.mail.mails.filter(
      (mail) => !before.has(mail) && !mail.recipients.every((one) => known.has(one)),
    );
    trial.expect(strays.length === 0, () => `mails went to ${strays.map(({ recipients }) => recipients).join(", ")}`);
  });
}

async function tryUnusual(report: Report, site: Site): Promise<void> {
  await report.try("D9", "unusual addresses, and names that are none", async (trial) => {
    for (const email of goodAddresses) {
      const { status } = await register(site, newPerson({ email }));
      trial.expect(status === 201, () => `${email}: ${status}`);
      if (status !== 201) continue;
      const mail = await nextMail(
        site,
        email.replace(/@.*/, (host) => host.toLowerCase()),
      );
      const { users = [] } = await databaseRows(site);
      const stored = users.some((user) => user.email === mail.recipients[0]);
      trial.expect(mail.recipients.length === 1 && stored, () => `${email} became ${mail.recipients.join()}`);
    }
    for (const name of [
      "Ada\r\nBcc: eve@attacker.example",
      "Ada\nX: y",
      "<b>Ada</b>",
      "Ada, Eve",
      "=?utf-8?q?x?=",
      "Ada\0",
    ]) {
      const { status } = await post(site, paths.register, { ...newPerson(), firstname: name });
      trial.expect(status === 400, () => `${JSON.stringify(name)}: ${status}`);
    }
  });
}
