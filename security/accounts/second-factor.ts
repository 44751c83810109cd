import type { SignedIn } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import type { RecoveryCodes, TotpEnrolment } from "#contract/accounts/second-factor.ts";
import { API_BASE } from "#contract/http.ts";
import { AuthenticatorApp, type TestFactor } from "../../testing/accounts/second-factor.ts";
import { type Answer, jsonOf } from "../../testing/http/send.ts";
import { newToken, nextKey, type Person, signIn, signUp } from "../clients/person.ts";
import type { Harness, Suite } from "../security-suite.ts";
import type { Site } from "../site.ts";

const REPLAYS = 50;
/** More than the hundred codes that an account compares before a right one. */
const GUESSES = 120;
/** Guesses that are free of waits. */
const FREE_GUESSES = 10;

type Protected = Person & TestFactor;

/** A browser of an attacker in a network of its own. */
const from = (index: number) => ({ "x-forwarded-for": `198.51.${index >> 8}.${index & 255}` });

/**
 * O1, O2: attacks on the second factor of a server process, whose attacker knows the password. Lifetimes, purposes and
 * storage are tested in `server/accounts/second-factor/`.
 */
export const secondFactor: Suite = {
  name: "second-factor",
  async run(harness) {
    const databases = harness.hasPostgres ? (["sqlite", "postgres"] as const) : (["sqlite"] as const);
    for (const database of databases) {
      await using site = await harness.startSite({ hasLimits: true, database, env: { TRUST_PROXY: "127.0.0.1" } });
      await tryReplay(harness, site);
      await tryGuesses(harness, site);
      await tryEnrolmentRace(harness, site);
    }
    // Two mails to one address within a minute are over the limit.
    await using unlimited = await harness.startSite();
    await tryDowngrade(harness, unlimited);
  },
};

const post = (
  site: Site,
  path: string,
  body: object,
  more: { token?: string; headers?: Record<string, string> } = {},
) => site.send({ method: "POST", path: API_BASE + path, body, ...more });

async function beginEnrolment(site: Site, token: string): Promise<TotpEnrolment> {
  return jsonOf<TotpEnrolment>(await post(site, accountPaths.totpEnrolment, {}, { token }));
}

async function signUpProtected(site: Site): Promise<Protected> {
  const person = await signUp(site);
  const token = await newToken(site, person);
  const { secret, enrolment } = await beginEnrolment(site, token);
  const authenticator = new AuthenticatorApp(secret);
  const body = { enrolment, code: authenticator.codeAt(Date.now(), -1) };
  const { recoveryCodes } = jsonOf<RecoveryCodes>(await post(site, accountPaths.secondFactor, body, { token }));
  return { ...person, token, authenticator, recoveryCodes };
}

const ticketOf = (answer: Answer): string => jsonOf<{ ticket?: string }>(answer).ticket ?? "";

async function firstStep(site: Site, { username, password }: Person, index = 0): Promise<string> {
  return ticketOf(await post(site, accountPaths.login, { username, password }, { headers: from(index) }));
}

const secondStep = (site: Site, ticket: string, code: string, index = 0) =>
  post(site, accountPaths.secondStep, { ticket, code }, { headers: from(index) });

async function tryReplay({ report }: Harness, site: Site): Promise<void> {
  await report.try("O1", "one code in many parallel requests, with several tickets", async (trial) => {
    const person = await signUpProtected(site);
    const tickets = [await firstStep(site, person), await firstStep(site, person), await firstStep(site, person)];
    const code = person.authenticator.codeAt(Date.now());
    const answers = await Promise.all(
      Array.from({ length: REPLAYS }, (_, index) => secondStep(site, tickets[index % 3] ?? "", code)),
    );
    const admitted = answers.filter(({ status }) => status === 200).length;
    trial.expect(admitted === 1, () => `${admitted} of ${REPLAYS} requests with one code were admitted`);
  });
  await report.try("O2", "one recovery code in many parallel requests", async (trial) => {
    const person = await signUpProtected(site);
    const tickets = [await firstStep(site, person), await firstStep(site, person), await firstStep(site, person)];
    const answers = await Promise.all(
      Array.from({ length: REPLAYS }, (_, index) =>
        secondStep(site, tickets[index % 3] ?? "", person.recoveryCodes[0] ?? ""),
      ),
    );
    const admitted = answers.filter(({ status }) => status === 200).length;
    trial.expect(admitted === 1, () => `${admitted} of ${REPLAYS} requests with one recovery code were admitted`);
  });
}

async function tryGuesses({ report }: Harness, site: Site): Promise<void> {
  await report.try("O1", "codes guessed from as many networks as guesses", async (trial) => {
    const person = await signUpProtected(site);
    const tickets = await Promise.all([1, 2, 3].map((index) => firstStep(site, person, index)));
    const answers = await Promise.all(
      Array.from({ length: GUESSES }, (_, index) =>
        secondStep(site, tickets[index % 3] ?? "", String(index).padStart(6, "0"), index),
      ),
    );
    const codes = Map.groupBy(answers, (answer) => jsonOf<{ code?: string }>(answer).code);
    const found = [...codes].map(([code, { length }]) => `${length} ${code}`).join(", ");
    trial.note(found);
    const compared = codes.get("wrong-code")?.length ?? 0;
    trial.expect(compared <= FREE_GUESSES + 1, () => `codes were compared without a wait: ${found}`);
    const right = person.authenticator.codeAt(Date.now());
    const { status } = await secondStep(site, tickets[0] ?? "", right, GUESSES);
    trial.expect(status === 429, () => `a right code during the wait answered ${status}`);
    const again = await signIn(site, person);
    trial.expect(again.status === 403, () => `the first step during the wait of codes answered ${again.status}`);
  });
}

/** Ways around the code: the reset of the password, another ticket, fields of the request. */
async function tryDowngrade({ report }: Harness, site: Site): Promise<void> {
  await report.try("O1", "a password that is reset by mail, and requests that leave the code out", async (trial) => {
    const person = await signUpProtected(site);
    const ticket = await firstStep(site, person);
    const other = await signUpProtected(site);
    const attempts: [string, object][] = [
      ["no code", { ticket }],
      ["an empty code", { ticket, code: "" }],
      ["null", { ticket, code: null }],
      ["a list", { ticket, code: ["000000"] }],
      ["a code of another account", { ticket, code: other.authenticator.codeAt(Date.now()) }],
      ["a recovery code of another account", { ticket, code: other.recoveryCodes[0] }],
      ["no ticket", { code: person.authenticator.codeAt(Date.now()) }],
      ["a made-up ticket", { ticket: "x".repeat(43), code: person.authenticator.codeAt(Date.now()) }],
    ];
    for (const [what, body] of attempts) {
      const { status } = await post(site, accountPaths.secondStep, body);
      trial.expect(status === 400 || status === 403, () => `${what} answered ${status}`);
    }
    await post(site, accountPaths.forgotPassword, { email: person.email });
    const key = await nextKey(site, person.email);
    const password = "a password of the thief";
    const reset = await post(site, accountPaths.resetPassword, { key, password });
    trial.expect(reset.status === 200 && !reset.text.includes("access_token"), () => `the reset: ${reset.text}`);
    const stale = await secondStep(site, ticket, person.authenticator.codeAt(Date.now()));
    trial.expect(stale.status === 403, () => `a ticket from before the reset answered ${stale.status}`);
    const first = await signIn(site, { username: person.username, password });
    trial.expect(first.status === 403 && ticketOf(first) !== "", () => `the new password alone: ${first.text}`);
  });
}

async function tryEnrolmentRace({ report }: Harness, site: Site): Promise<void> {
  await report.try("O1", "two sessions that switch the second factor on at the same time", async (trial) => {
    const person = await signUp(site);
    const tokens = [await newToken(site, person), await newToken(site, person)];
    const begun = await Promise.all(tokens.map((token) => beginEnrolment(site, token)));
    const answers = await Promise.all(
      begun.map(({ secret, enrolment }, index) => {
        const code = new AuthenticatorApp(secret).codeAt(Date.now());
        return post(site, accountPaths.secondFactor, { enrolment, code }, { token: tokens[index] ?? "" });
      }),
    );
    const won = answers.findIndex(({ status }) => status === 200);
    const statuses = answers.map(({ status }) => status).sort();
    trial.expect(statuses.join() === "200,409", () => `the two answered ${statuses.join()}`);
    const winner = new AuthenticatorApp(begun[won]?.secret ?? "");
    const completed = await secondStep(site, await firstStep(site, person), winner.codeAt(Date.now(), 1));
    const { user } = jsonOf<Partial<SignedIn>>(completed);
    trial.expect(user?.username === person.username, () => `the first secret answered ${completed.text}`);
  });
}
