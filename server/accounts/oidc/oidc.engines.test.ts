import { afterEach, describe, expect, it } from "vitest";
import { authConfigSchema, signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { ssoAttemptSchema } from "#contract/accounts/single-sign-on.ts";
import { MINUTE } from "#contract/limits.ts";
import { mailedKey, subjectsTo } from "../../../testing/accounts/filed-mails.ts";
import { securityEventsOf } from "../../../testing/accounts/security-events-of.ts";
import { signUp } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { TestBrowser } from "../../../testing/http/test-browser.ts";
import { newOidcPerson, SSO_PUBLIC_URL, SsoBrowser, startSsoApp } from "../../../testing/sso/sso-app.ts";

const clock = new TestClock(Date.now());
const sso = disposeAfterAll(await startSsoApp({ clock }));
const trustingClock = new TestClock(Date.now());
const trusting = disposeAfterAll(
  await startSsoApp({ clock: trustingClock, env: { OIDC_EMAIL_AUTHORITATIVE: "true" } }),
);
const { app } = sso;

const signedIn = async (response: Response) => {
  expect(await response.clone().json()).not.toHaveProperty("code");
  return signedInSchema.parse(await response.json());
};
const codeOf = async (response: Response) => [response.status, (await problemOf(response)).code];
const refused = [400, "bad-sso-answer"];

describe("a sign-in by OpenID Connect", () => {
  it("creates an account at the first sign-in, which later ones find by issuer and subject", async () => {
    const person = newOidcPerson();
    const { user } = await signedIn(await new SsoBrowser(sso, person).signInBySso());
    expect(user).toMatchObject({ email: person.email, firstname: "Ada", lastname: "Lovelace", emailVerified: true });
    const renamed = { ...person, email: "ada@example.com", name: "Ada King" };
    expect((await signedIn(await new SsoBrowser(sso, renamed).signInBySso())).user).toEqual(user);
    const namesake = newOidcPerson({ email: "other@example.org", name: person.name, preferred_username: "ada" });
    expect((await signedIn(await new SsoBrowser(sso, namesake).signInBySso())).user.id).not.toBe(user.id);
  });

  it("the session says how it began, and the page of the account lists the identity", async () => {
    const browser = new SsoBrowser(sso, newOidcPerson());
    await signedIn(await browser.signInBySso());
    expect(await (await browser.call("GET", accountPaths.sessions)).json()).toMatchObject([{ method: "sso" }]);
    expect(await (await browser.call("GET", accountPaths.identities)).json()).toMatchObject([
      { provider: "Example ID", slug: "oidc", label: browser.person.email, lastUsedAt: clock.now() },
    ]);
    expect(await (await browser.call("GET", accountPaths.account)).json()).toMatchObject({ hasIdentities: true });
  });

  it("an address that the provider has not verified gets our mail, and signs in after it", async () => {
    for (const email_verified of [undefined, false]) {
      const person = newOidcPerson({ email_verified });
      const browser = new SsoBrowser(sso, person);
      expect(await codeOf(await browser.signInBySso())).toEqual([403, "email-unverified"]);
      clock.advance(2 * MINUTE);
      expect(await codeOf(await browser.signInBySso())).toEqual([403, "email-unverified"]);
      const key = await mailedKey(app, String(person.email));
      await signedIn(await browser.call("POST", accountPaths.verify, { key }));
      await signedIn(await new SsoBrowser(sso, person).signInBySso());
    }
  });

  it("a pending account is verified as soon as the provider verifies the address, and follows a corrected one", async () => {
    const person = newOidcPerson({ email_verified: false });
    expect(await codeOf(await new SsoBrowser(sso, person).signInBySso())).toEqual([403, "email-unverified"]);
    const corrected = { ...person, email: `corrected-${String(person.email)}` };
    expect(await codeOf(await new SsoBrowser(sso, corrected).signInBySso())).toEqual([403, "email-unverified"]);
    expect(await mailedKey(app, corrected.email)).toMatch(/^[\w-]{43}$/);
    const verified = { ...corrected, email_verified: true };
    expect((await signedIn(await new SsoBrowser(sso, verified).signInBySso())).user.email).toBe(corrected.email);
  });

  it("a further sign-in with an unverified address mails the key again, once a minute", async () => {
    const person = newOidcPerson({ email_verified: false });
    const browser = new SsoBrowser(sso, person);
    const mails = async () => (await subjectsTo(app, String(person.email))).length;
    const sent = [];
    for (let times = 0; times < 3; times++) {
      expect(await codeOf(await browser.signInBySso())).toEqual([403, "email-unverified"]);
      sent.push(await mails());
      if (times === 1) clock.advance(2 * MINUTE);
    }
    expect(sent).toEqual([1, 1, 2]);
  });

  it("a reader of the mail in another browser gets the account without the identity", async () => {
    const person = newOidcPerson({ email_verified: false });
    const attacker = new SsoBrowser(sso, person);
    expect(await codeOf(await attacker.signInBySso())).toEqual([403, "email-unverified"]);
    const key = await mailedKey(app, String(person.email));
    await signedIn(await new TestBrowser(app, { origin: SSO_PUBLIC_URL }).call("POST", accountPaths.verify, { key }));
    clock.advance(2 * MINUTE);
    expect(await codeOf(await attacker.signInBySso())).toEqual([403, "email-unverified"]);
  });

  it("a person without an address is refused with a sentence", async () => {
    const person = newOidcPerson({ email: undefined });
    expect(await codeOf(await new SsoBrowser(sso, person).signInBySso())).toEqual([403, "sso-no-address"]);
  });

  it.each(["<ada@example.org>", "ada@@example.org", "ada", "", 7])("the address %j is none", async (email) => {
    const person = newOidcPerson({ email });
    expect(await codeOf(await new SsoBrowser(sso, person).signInBySso())).toEqual([403, "sso-no-address"]);
  });

  it("a closed registration refuses a new person, and an earlier one signs in", async () => {
    await using closed = await startSsoApp({ env: { REGISTRATION: "closed" } });
    const browser = new SsoBrowser(closed, newOidcPerson());
    expect(await codeOf(await browser.signInBySso())).toEqual([403, "registration-closed"]);
    expect(await codeOf(await browser.signInBySso("not-an-invitation"))).toEqual([400, "bad-invitation"]);
  });
});

describe("O4 an account with the address of a new identity", () => {
  it("an account is never connected where the operator does not say that addresses prove ownership", async () => {
    const account = await signUp(app);
    const person = newOidcPerson({ email: account.user.email });
    expect(await codeOf(await new SsoBrowser(sso, person).signInBySso())).toEqual([409, "connect-identity"]);
  });

  it("an account is never connected by an unverified address", async () => {
    const account = await signUp(trusting.app);
    for (const email_verified of [undefined, false, "no"]) {
      const person = newOidcPerson({ email: account.user.email, email_verified });
      expect(await codeOf(await new SsoBrowser(trusting, person).signInBySso())).toEqual([403, "email-unverified"]);
      trustingClock.advance(20 * MINUTE);
    }
    expect(await subjectsTo(trusting.app, account.user.email)).toContain("You already have an account at Parley");
    expect(await securityEventsOf(trusting.app, account.user.id)).not.toContain("identity-connected");
  });

  it("an account is connected by a verified address of an authoritative issuer, with a mail and in the log", async () => {
    const account = await signUp(trusting.app);
    const person = newOidcPerson({ email: account.user.email.toUpperCase() });
    const { user } = await signedIn(await new SsoBrowser(trusting, person).signInBySso());
    expect(user.id).toBe(account.user.id);
    expect(await securityEventsOf(trusting.app, user.id)).toContain("identity-connected");
    expect(await subjectsTo(trusting.app, user.email)).toContain(
      "Single sign-on was connected to your account at Parley",
    );
    // The person was deleted and created anew at the provider, or another person has the address.
    const successor = newOidcPerson({ email: account.user.email });
    expect(await codeOf(await new SsoBrowser(trusting, successor).signInBySso())).toEqual([409, "connect-identity"]);
  });
});

describe("O4 an answer of a provider", () => {
  it("an answer of a provider is valid once", async () => {
    const browser = new SsoBrowser(sso, newOidcPerson());
    const answer = await browser.visit();
    await signedIn(await browser.postSignIn(answer));
    expect(await codeOf(await browser.postSignIn(answer))).toEqual(refused);
  });

  it("an answer is valid in the browser that began the attempt only: it signs no victim in as an attacker", async () => {
    const answer = await new SsoBrowser(sso, newOidcPerson()).visit();
    const victim = new SsoBrowser(sso, newOidcPerson());
    await victim.visit();
    expect(await codeOf(await victim.postSignIn(answer))).toEqual(refused);
  });

  it("an answer is valid with the state and the code of one attempt only", async () => {
    const browser = new SsoBrowser(sso, newOidcPerson());
    const [first, second] = [await browser.visit(), await browser.visit()];
    expect(await codeOf(await browser.postSignIn({ ...first, code: second.code }))).toEqual(refused);
    expect(await codeOf(await browser.postSignIn({ ...second, state: `${second.state}x` }))).toEqual(refused);
  });

  it("an attempt expires after ten minutes", async () => {
    const browser = new SsoBrowser(sso, newOidcPerson());
    const answer = await browser.visit();
    clock.advance(10 * MINUTE);
    expect(await codeOf(await browser.postSignIn(answer))).toEqual(refused);
  });

  it("an answer of another issuer, or for another provider, is refused (mix-up)", async () => {
    const browser = new SsoBrowser(sso, newOidcPerson());
    const answer = await browser.visit();
    const other = { ...answer, iss: "https://other.example.org" };
    expect(await codeOf(await browser.postSignIn(other))).toEqual(refused);
    const again = await browser.visit();
    expect(await codeOf(await browser.postSignIn({ ...again, provider: "other" }))).toEqual(refused);
  });

  it("an answer without the issuer, which this provider always names, is refused", async () => {
    const browser = new SsoBrowser(sso, newOidcPerson());
    const { iss: _, ...answer } = await browser.visit();
    expect(await codeOf(await browser.postSignIn(answer))).toEqual(refused);
  });

  it("the attempt sends PKCE, a state and a nonce, and four tabs can be open", async () => {
    const browser = new SsoBrowser(sso, newOidcPerson());
    const body = { provider: "oidc", purpose: "sign-in" };
    const states = [];
    for (let tab = 0; tab < 4; tab++) {
      const begun = ssoAttemptSchema.parse(await (await browser.call("POST", accountPaths.ssoAttempts, body)).json());
      const { searchParams } = new URL(begun.url);
      expect(searchParams.get("code_challenge_method")).toBe("S256");
      expect(searchParams.get("nonce")).toMatch(/^[\w-]{43}$/);
      expect(searchParams.get("redirect_uri")).toBe(`${SSO_PUBLIC_URL}/sso/oidc`);
      states.push(begun);
    }
    await signedIn(await browser.postSignIn(await browser.answerAt(states[0]?.url ?? "")));
  });

  it("a request of another site is refused before anything else", async () => {
    const browser = new SsoBrowser(sso, newOidcPerson());
    const answer = await browser.visit();
    browser.headers.origin = "https://evil.example";
    expect(await codeOf(await browser.postSignIn(answer))).toEqual([403, "csrf"]);
    const body = { provider: "oidc", purpose: "sign-in" };
    expect(await codeOf(await browser.call("POST", accountPaths.ssoAttempts, body))).toEqual([403, "csrf"]);
  });
});

describe("a provider that cannot be reached", () => {
  it("a provider that cannot be reached is answered with a code, and passwords go on", async () => {
    await using alone = await startTestApp({
      env: { OIDC_ISSUER: "http://127.0.0.1:9", OIDC_CLIENT_ID: "parley", PUBLIC_URL: SSO_PUBLIC_URL },
    });
    const body = { provider: "oidc", purpose: "sign-in" };
    expect(await codeOf(await alone.call("POST", accountPaths.ssoAttempts, { body }))).toEqual([
      503,
      "sso-unavailable",
    ]);
    await signUp(alone);
  });

  it("an address in its metadata that is not public and not its own is not requested", async () => {
    await using far = await startSsoApp();
    far.oidc.replacedMetadata = { token_endpoint: "http://169.254.169.254/latest/meta-data" };
    const browser = new SsoBrowser(far, newOidcPerson());
    expect(await codeOf(await browser.signInBySso())).toEqual([503, "sso-unavailable"]);
  });

  it("metadata of another issuer are refused", async () => {
    await using impostor = await startSsoApp();
    impostor.oidc.replacedMetadata = { issuer: "https://other.example.org" };
    const body = { provider: "oidc", purpose: "sign-in" };
    const begun = await impostor.app.call("POST", accountPaths.ssoAttempts, { body });
    expect(await codeOf(begun)).toEqual([503, "sso-unavailable"]);
  });
});

describe("the configuration of the sign-in page", () => {
  const readConfig = async (call: typeof app.call) =>
    authConfigSchema.parse(await (await call("GET", accountPaths.authConfig)).json());

  it("the configuration names the provider, and nothing is requested from it before an attempt", async () => {
    await using quiet = await startSsoApp();
    const { identityProviders, isSsoOnly } = await readConfig(quiet.app.call);
    expect(identityProviders).toEqual([{ slug: "oidc", name: "Example ID", kind: "oidc" }]);
    expect(isSsoOnly).toBeUndefined();
    expect(quiet.oidc.requests).toBe(0);
  });

  it("the configuration without a provider has neither of both members, and an attempt is not found", async () => {
    await using plain = await startTestApp();
    const config = await readConfig(plain.call);
    expect(config).not.toHaveProperty("identityProviders");
    expect(config).not.toHaveProperty("isSsoOnly");
    const body = { provider: "oidc", purpose: "sign-in" };
    expect(await codeOf(await plain.call("POST", accountPaths.ssoAttempts, { body }))).toEqual([404, "not-found"]);
  });
});

afterEach(() => {
  sso.oidc.replacedMetadata = {};
});
