import { accountPaths } from "#contract/accounts/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { callApi } from "../../testing/app/start-test-app.ts";
import type { CalledApp } from "../../testing/http/test-browser.ts";
import { type OidcServer, startOidcServer } from "../../testing/sso/oidc-server.ts";
import { newOidcPerson, SSO_PUBLIC_URL, SsoBrowser } from "../../testing/sso/sso-app.ts";
import { signUp } from "../clients/person.ts";
import type { Harness, Suite } from "../security-suite.ts";
import type { Site } from "../site.ts";

const REPLAYS = 50;
/** More than the wrong answers that one network may send in a minute. */
const FORGERIES = 40;
/** O5: until the sessions have ended. */
const SIGNED_OUT_MS = 1000;

const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";

type Target = { harness: Harness; site: Site; oidc: OidcServer; app: CalledApp };

/** O4, O5: attacks on single sign-on of a server process. Further ones are tested in `server/accounts/oidc/`. */
export const singleSignOn: Suite = {
  name: "single-sign-on",
  async run(harness) {
    const databases = harness.hasPostgres ? (["sqlite", "postgres"] as const) : (["sqlite"] as const);
    for (const database of databases) {
      await using oidc = await startOidcServer();
      const env = { ...oidc.env, PUBLIC_URL: SSO_PUBLIC_URL, OIDC_EMAIL_AUTHORITATIVE: "true" };
      await using site = await harness.startSite({ hasLimits: true, database, env });
      await oidc.serve({ publicUrl: SSO_PUBLIC_URL, address: site.url });
      const app: CalledApp = { url: site.url, call: (...call) => callApi(site.url, ...call) };
      const target = { harness, site, oidc, app };
      await tryReplay(target);
      await tryForgeries(target);
      await tryClaims(target);
      await trySignOut(target);
    }
  },
};

async function tryReplay({ harness, ...target }: Target): Promise<void> {
  await harness.report.try("O4", "one answer of a provider in many parallel requests", async (trial) => {
    const browser = new SsoBrowser(target, newOidcPerson());
    const answer = await browser.visit();
    const answers = await Promise.all(Array.from({ length: REPLAYS }, () => browser.postSignIn(answer)));
    const admitted = answers.filter(({ status }) => status === 200).length;
    trial.expect(admitted === 1, () => `${admitted} of ${REPLAYS} requests with one answer were admitted`);
  });
}

async function tryForgeries({ harness, ...target }: Target): Promise<void> {
  const what = "answers of other browsers, states, codes and issuers, other sites, and a flood of them";
  await harness.report.try("O4", what, async (trial) => {
    const attacker = new SsoBrowser(target, newOidcPerson());
    const victim = new SsoBrowser(target, newOidcPerson());
    const own = await victim.visit();
    const foreign = await attacker.visit();
    const attempts: [string, () => Promise<Response>][] = [
      ["an attacker's answer in a victim's browser", () => victim.postSignIn(foreign)],
      ["an attacker's code with a victim's state", () => victim.postSignIn({ ...own, code: foreign.code })],
      ["an invented state", () => victim.postSignIn({ ...own, state: "x".repeat(32) })],
      ["another issuer", () => victim.postSignIn({ ...own, iss: "https://other.example.org" })],
      ["another provider", () => victim.postSignIn({ ...own, provider: "other" })],
    ];
    for (const [name, attempt] of attempts) {
      const { status } = await attempt();
      trial.expect(status >= 400, () => `${name} answered ${status}`);
    }
    const body = { sso: foreign };
    for (let times = 0; times < FORGERIES; times++) {
      await callApi(target.site.url, "POST", accountPaths.sso, { body });
    }
    const { status } = await victim.signInBySso();
    trial.expect(status === 200, () => `after a flood of wrong answers the right one answered ${status}`);
  });
}

async function tryClaims({ harness, ...target }: Target): Promise<void> {
  const what = "claims of a foreign address, of roles, and of groups";
  await harness.report.try("O4", what, async (trial) => {
    const { email, username } = await signUp(target.site);
    for (const email_verified of [undefined, false, "false", 1]) {
      const browser = new SsoBrowser(target, newOidcPerson({ email, email_verified }));
      const { status } = await browser.signInBySso();
      trial.expect(status !== 200, () => `an address with email_verified ${email_verified} signed in as ${username}`);
    }
    const claims = { role: "owner", roles: ["owner"], groups: ["owner", "administrator"], is_admin: true };
    const browser = new SsoBrowser(target, newOidcPerson(claims));
    await browser.signInBySso();
    const { status } = await browser.call("GET", "/admin/overview");
    trial.expect(status === 403, () => `claims of roles opened the administration: ${status}`);
  });
}

async function trySignOut({ harness, ...target }: Target): Promise<void> {
  const { oidc, site } = target;
  await harness.report.try("O5", "forged, repeated and right requests of a provider to sign out", async (trial) => {
    const browser = new SsoBrowser(target, newOidcPerson());
    await browser.signInBySso();
    const isSignedIn = async () => (await browser.call("GET", accountPaths.me)).status === 200;
    const claims = { sub: browser.person.sub, events: { [LOGOUT_EVENT]: {} } };
    await using other = await startOidcServer();
    const forged = [
      await other.sign({ ...claims, jti: "one", iss: oidc.issuer }),
      await oidc.sign({ ...claims, jti: "two", aud: "other" }),
      await oidc.sign({ ...claims, jti: "three", nonce: "n" }),
      await oidc.sign({ sub: browser.person.sub, jti: "four" }),
      await oidc.sign(claims),
      "a.b.c",
    ];
    for (const token of forged) {
      const { status } = await postLogout(site, token);
      trial.expect(status >= 400 && (await isSignedIn()), () => `a forged token answered ${status}: ${token}`);
    }
    const stream = await browser.call("GET", "/events");
    const token = await oidc.sign({ ...claims, jti: "five" });
    const begunAt = performance.now();
    const { status } = await postLogout(site, token);
    await stream.text().catch(() => undefined);
    const ms = performance.now() - begunAt;
    trial.expect(status === 200 && !(await isSignedIn()), () => `the provider's request answered ${status}`);
    trial.expect(harness.isShort || ms <= SIGNED_OUT_MS, () => `its open stream ended after ${Math.round(ms)} ms`);
    const again = new SsoBrowser(target, browser.person);
    await again.signInBySso();
    const repeated = await postLogout(site, token);
    const { status: own } = await again.call("GET", accountPaths.me);
    trial.expect(repeated.status >= 400 && own === 200, () => `a repeated token answered ${repeated.status}`);
  });
}

const postLogout = (site: Site, token: string) =>
  fetch(site.url + API_BASE + accountPaths.ssoLogout("oidc"), {
    method: "POST",
    body: new URLSearchParams({ logout_token: token }),
  });
