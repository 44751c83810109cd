import { accountPaths } from "#contract/accounts/paths.ts";
import { API_BASE } from "#contract/http.ts";
import type { OutgoingRequest } from "../../testing/http/send.ts";
import { newPerson, type Person, register, signUp } from "../clients/person.ts";
import type { Suite } from "../security-suite.ts";
import type { Site } from "../site.ts";
import { areaUnderCurve, median } from "./samples.ts";

const PAIRS = 200;
const WARM_UP = 20;
const MEDIAN_MS = 5;
const MEDIAN_SHARE = 0.03;
const AREA = [0.4, 0.6] as const;

/** C3: timing attacks on the existence of accounts. Only in the full run, because it needs an idle machine. */
export const timing: Suite = {
  name: "timing",
  async run({ report, isShort, startSite }) {
    if (isShort) return;
    await using site = await startSite();
    for (const { name, known, unknown } of await questions(site)) {
      await report.try("C3", name, async (trial) => {
        const samples = await sample(site, known, unknown);
        const medians = [median(samples.known), median(samples.unknown)] as const;
        const difference = Math.abs(medians[0] - medians[1]);
        const area = areaUnderCurve(samples.known, samples.unknown);
        const summary = `medians ${medians.map((ms) => ms.toFixed(2)).join(" and ")} ms, ROC AUC ${area.toFixed(3)}`;
        trial.count(PAIRS);
        trial.note(summary);
        if (difference > Math.max(MEDIAN_MS, MEDIAN_SHARE * medians[0])) trial.fail("the medians differ");
        if (area < AREA[0] || area > AREA[1]) trial.fail("the samples are distinguishable");
      });
    }
  },
};

type Question = { name: string; known(index: number): OutgoingRequest; unknown(index: number): OutgoingRequest };

async function questions(site: Site): Promise<Question[]> {
  const post = (path: string, body: object): OutgoingRequest => ({ method: "POST", path: API_BASE + path, body });
  // Another account for each pair, so that delays after failed attempts have no influence.
  const people: Person[] = [];
  for (let index = 0; index < PAIRS + WARM_UP; index++) people.push(await signUp(site));
  const pending: string[] = [];
  for (let index = 0; index < PAIRS + WARM_UP; index++) {
    const one = newPerson();
    await register(site, one);
    pending.push(one.username);
  }
  const person = (index: number) => people[index] ?? newPerson();
  return [
    {
      name: "signing in: a wrong password, and an unknown username",
      known: (index) => post(accountPaths.login, { username: person(index).username, password: "a wrong password" }),
      unknown: (index) => post(accountPaths.login, { username: `nobody${index}`, password: "a wrong password" }),
    },
    {
      name: "registering with a known and an unknown address",
      known: (index) => post(accountPaths.register, newPerson({ email: person(index).email })),
      unknown: () => post(accountPaths.register, newPerson()),
    },
    {
      name: "asking for another verification mail",
      known: (index) => post(accountPaths.resendVerification, { email: person(index).email }),
      unknown: (index) => post(accountPaths.resendVerification, { email: `nobody${index}@example.org` }),
    },
    {
      name: "asking for a new password",
      known: (index) => post(accountPaths.forgotPassword, { email: person(index).email }),
      unknown: (index) => post(accountPaths.forgotPassword, { email: `none${index}@example.org` }),
    },
    {
      name: "asking for a new password by username",
      known: (index) => post(accountPaths.forgotPassword, { email: person(index).username }),
      unknown: (index) => post(accountPaths.forgotPassword, { email: `none${index}` }),
    },
    {
      name: "registering with a taken username, of a verified and of a pending account",
      known: (index) => post(accountPaths.register, newPerson({ username: person(index).username })),
      unknown: (index) => post(accountPaths.register, newPerson({ username: pending[index] ?? "x" })),
    },
  ];
}

async function sample(site: Site, known: Question["known"], unknown: Question["unknown"]) {
  const samples = { known: [] as number[], unknown: [] as number[] };
  for (let index = 0; index < PAIRS + WARM_UP; index++) {
    // Alternating order, so that after-effects of a request fall on both sides.
    for (const side of index % 2 ? (["known", "unknown"] as const) : (["unknown", "known"] as const)) {
      const { ms } = await site.send(side === "known" ? known(index) : unknown(index));
      if (index >= WARM_UP) samples[side].push(ms);
    }
  }
  return samples;
}
