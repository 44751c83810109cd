import { accountPaths } from "#contract/accounts/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { MINUTE } from "#contract/limits.ts";
import type { Answer } from "../../testing/http/send.ts";
import { signIn, signUp } from "../clients/person.ts";
import type { Harness, Suite } from "../security-suite.ts";
import type { Site } from "../site.ts";

const AWAY_MS = 5000;

/** F9: Google's keys are unavailable. Tokens and addresses (F1–F8, F10) are tested in `server/accounts/google/`. */
export const google: Suite = {
  name: "google",
  async run(harness) {
    await using site = await harness.startSite({ hasGoogle: true });
    await tryOutage(harness, site);
  },
};

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const post = (site: Site, idToken: unknown): Promise<Answer> =>
  site.send({ method: "POST", path: API_BASE + accountPaths.google, body: { id_token: idToken } });

let subjects = 0;
const newSubject = () => `2000000000${++subjects}`;
const issue = (site: Site) => {
  const sub = newSubject();
  return site.keys.issueIdToken({ sub, email: `google${sub}@gmail.com` });
};

async function tryOutage({ report, isShort }: Harness, site: Site): Promise<void> {
  await report.try("F9", "keys that are unreachable or time out, and new keys (R27)", async (trial) => {
    const person = await signUp(site);
    await site.keys.rotate();
    await site.server.setClock(2 * MINUTE);
    const inTime = () => {
      const sub = newSubject();
      return site.keys.issueIdToken({ sub, email: `google${sub}@gmail.com` }, Date.now() + 2 * MINUTE);
    };
    trial.expect((await post(site, await inTime())).status === 200, "a new key is found without a restart");
    const before = site.keys.requests;
    const unknown = (await inTime()).replace(/^[^.]+/, encode({ alg: "RS256", typ: "JWT", kid: "unknown" }));
    for (let times = 0; times < 20; times++) await post(site, unknown);
    trial.expect(site.keys.requests - before <= 1, `${site.keys.requests - before} requests for unknown keys`);
    for (const state of ["down", "silent"] as const) {
      site.keys.state = state;
      await site.keys.rotate();
      await site.server.end("SIGTERM");
      await site.server.start();
      const answering = post(site, await issue(site));
      const signedIn = await signIn(site, person);
      trial.expect(signedIn.status === 200, `${state}: signing in by password answered ${signedIn.status}`);
      const { status, ms } = await answering;
      const isInTime = isShort || ms <= AWAY_MS;
      trial.expect(status === 503 && isInTime, `${state}: Google answered ${status} after ${Math.round(ms)} ms`);
    }
    site.keys.state = "up";
  });
}
