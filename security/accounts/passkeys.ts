import {
  type PasskeyAssertion,
  type PasskeyChallenge,
  type PasskeyCreation,
  passkeyChallengeSchema,
  passkeyCreationSchema,
} from "#contract/accounts/passkeys.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { type Deviation, SoftwareAuthenticator } from "../../testing/accounts/passkeys.ts";
import { jsonOf } from "../../testing/http/send.ts";
import { newToken, signUp } from "../clients/person.ts";
import type { Harness, Suite } from "../security-suite.ts";
import type { Site } from "../site.ts";

const PUBLIC_URL = "https://chat.example.org";
const REPLAYS = 50;
/** More than the wrong answers that one network may send in a minute. */
const FORGERIES = 40;

/** O3: attacks on passkeys of a server process. Further ones are tested in `server/accounts/passkeys/`. */
export const passkeys: Suite = {
  name: "passkeys",
  async run(harness) {
    const databases = harness.hasPostgres ? (["sqlite", "postgres"] as const) : (["sqlite"] as const);
    for (const database of databases) {
      await using site = await harness.startSite({ hasLimits: true, database, env: { PUBLIC_URL } });
      // The replays use up the wrong answers of the network.
      await tryForgeries(harness, site);
      await tryReplay(harness, site);
    }
  },
};

const post = (site: Site, path: string, body: object, token?: string) =>
  site.send({ method: "POST", path: API_BASE + path, body, ...(token !== undefined && { token }) });

const readChallenge = async (site: Site): Promise<PasskeyChallenge> =>
  passkeyChallengeSchema.parse(jsonOf(await post(site, accountPaths.passkeyChallenge, {})));

const signIn = (site: Site, passkey: PasskeyAssertion) => post(site, accountPaths.passkeySignIn, { passkey });

async function signUpWithPasskey(site: Site): Promise<SoftwareAuthenticator> {
  const token = await newToken(site, await signUp(site));
  const begun = await post(site, accountPaths.passkeyCreation, {}, token);
  const creation: PasskeyCreation = passkeyCreationSchema.parse(jsonOf(begun));
  const authenticator = new SoftwareAuthenticator(PUBLIC_URL);
  await post(site, accountPaths.passkeys, { passkey: authenticator.create(creation) }, token);
  return authenticator;
}

async function tryReplay({ report }: Harness, site: Site): Promise<void> {
  await report.try("O3", "one answer of an authenticator in many parallel requests", async (trial) => {
    const authenticator = await signUpWithPasskey(site);
    const answer = authenticator.get(await readChallenge(site));
    const answers = await Promise.all(Array.from({ length: REPLAYS }, () => signIn(site, answer)));
    const admitted = answers.filter(({ status }) => status === 200).length;
    trial.expect(admitted === 1, () => `${admitted} of ${REPLAYS} requests with one answer were admitted`);
  });
}

async function tryForgeries({ report }: Harness, site: Site): Promise<void> {
  await report.try(
    "O3",
    "answers for other sites, without verification, copied, forged, and a flood of them",
    async (trial) => {
      const authenticator = await signUpWithPasskey(site);
      const right = authenticator.get(await readChallenge(site));
      const deviations: [string, Deviation][] = [
        ["an answer that a phishing page received", { origin: "https://chat.example.com" }],
        ["an answer for another host", { host: "example.com" }],
        ["an answer without verification of the person", { isVerified: false }],
      ];
      const forged: [string, PasskeyAssertion][] = [
        ["a made-up challenge", authenticator.get({ ...(await readChallenge(site)), challenge: "bWFkZS11cA" })],
        ["another signature", { ...right, response: { ...right.response, signature: "AAAA" } }],
      ];
      for (const [what, deviation] of deviations) {
        forged.push([what, authenticator.get(await readChallenge(site), deviation)]);
      }
      for (const [what, answer] of forged) {
        const { status } = await signIn(site, answer);
        trial.expect(status === 403, () => `${what} answered ${status}`);
      }
      const flood = await Promise.all(
        Array.from({ length: FORGERIES }, () => signIn(site, { ...right, id: "bm9uZQ", rawId: "bm9uZQ" })),
      );
      const refused = flood.filter(({ status }) => status === 429).length;
      trial.note(`${refused} of ${FORGERIES} refused unread`);
      trial.expect(refused > 0, () => "a flood of unknown passkeys met no limit");
      const { status } = await signIn(site, authenticator.get(await readChallenge(site)));
      trial.expect(status === 200, () => `a right answer during the flood answered ${status}`);
    },
  );
}
