import { describe, expect, it } from "vitest";
import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { type ConnectedIdentity, connectedIdentitiesSchema } from "#contract/accounts/single-sign-on.ts";
import { MINUTE } from "#contract/limits.ts";
import { mailedKey, subjectsTo } from "../../../testing/accounts/filed-mails.ts";
import { newestKeyFor } from "../../../testing/accounts/mailed-links.ts";
import { securityEventsOf } from "../../../testing/accounts/security-events-of.ts";
import { PASSWORD, signUp } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { TestClock } from "../../../testing/app/start-test-app.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { newOidcPerson, SsoBrowser, startSsoApp } from "../../../testing/sso/sso-app.ts";

const clock = new TestClock(Date.now());
const sso = disposeAfterAll(await startSsoApp({ clock }));
const { app, oidc } = sso;

const codeOf = async (response: Response) => [response.status, (await problemOf(response)).code];

/** Returns the browser of a person who has signed in by password, and of their identity at the provider. */
async function browserWithPassword(person = newOidcPerson({ email: "elsewhere@example.com" })) {
  const account = await signUp(app);
  const browser = new SsoBrowser(sso, person);
  await browser.signIn(account.user.username, PASSWORD);
  return { account, browser };
}

const connect = async (browser: SsoBrowser) =>
  browser.call("POST", accountPaths.identities, { sso: await browser.visit("connect") });
const identitiesOf = async (browser: SsoBrowser): Promise<ConnectedIdentity[]> =>
  connectedIdentitiesSchema.parse(await (await browser.call("GET", accountPaths.identities)).json());

describe("connecting an identity", () => {
  it("connecting an identity needs a recent proof, mails the owner, and signs in to the account from then on", async () => {
    const { account, browser } = await browserWithPassword();
    expect((await connect(browser)).status).toBe(204);
    expect(await identitiesOf(browser)).toMatchObject([{ provider: "Example ID", label: "elsewhere@example.com" }]);
    expect(await securityEventsOf(app, account.user.id)).toContain("identity-connected");
    const subject = "Single sign-on was connected to your account at Parley";
    expect(await subjectsTo(app, account.user.email)).toContain(subject);
    const again = new SsoBrowser(sso, browser.person);
    const { user } = signedInSchema.parse(await (await again.signInBySso()).json());
    expect(user.id).toBe(account.user.id);
    const answer = await browser.visit("connect");
    clock.advance(11 * MINUTE);
    const begin = { provider: "oidc", purpose: "connect" };
    expect(await codeOf(await browser.call("POST", accountPaths.ssoAttempts, begin))).toEqual([403, "proof-needed"]);
    await browser.call("POST", accountPaths.proof, { password: PASSWORD });
    expect((await browser.call("POST", accountPaths.identities, { sso: answer })).status).toBe(400);
  });

  it("an identity has one account, and an account one identity of a provider", async () => {
    const { browser } = await browserWithPassword(newOidcPerson());
    expect((await connect(browser)).status).toBe(204);
    expect((await connect(browser)).status).toBe(204);
    const { browser: other } = await browserWithPassword(browser.person);
    expect(await codeOf(await connect(other))).toEqual([409, "identity-taken"]);
    const second = new SsoBrowser(sso, newOidcPerson());
    second.token = browser.token;
    for (const [name, value] of browser.cookies) second.cookies.set(name, value);
    expect(await codeOf(await connect(second))).toEqual([409, "identity-connected"]);
  });

  it("an answer to another purpose, or of another session, connects nothing", async () => {
    const { browser } = await browserWithPassword(newOidcPerson());
    for (const purpose of ["sign-in", "prove"] as const) {
      const sso = await browser.visit(purpose);
      expect(await codeOf(await browser.call("POST", accountPaths.identities, { sso }))).toEqual([
        400,
        "bad-sso-answer",
      ]);
    }
    const answer = await browser.visit("connect");
    await browser.signIn((await signUp(app)).user.username, PASSWORD);
    const body = { sso: answer };
    expect(await codeOf(await browser.call("POST", accountPaths.identities, body))).toEqual([400, "bad-sso-answer"]);
    expect(await identitiesOf(browser)).toEqual([]);
  });

  it("a pending account of an unverified address does not keep the identity of its person", async () => {
    const { account, browser } = await browserWithPassword(newOidcPerson({ email_verified: false }));
    const pending = new SsoBrowser(sso, { ...browser.person, email: account.user.email });
    expect(await codeOf(await pending.signInBySso())).toEqual([403, "email-unverified"]);
    expect((await connect(browser)).status).toBe(204);
    expect((await new SsoBrowser(sso, browser.person).signInBySso()).status).toBe(200);
  });

  it("a person whose mail was opened in another browser connects without a proof, which they could not give", async () => {
    const person = newOidcPerson({ email_verified: false });
    expect((await new SsoBrowser(sso, person).signInBySso()).status).toBe(403);
    const browser = new SsoBrowser(sso, person);
    const key = await mailedKey(app, String(person.email));
    const verified = await browser.call("POST", accountPaths.verify, { key });
    browser.token = signedInSchema.parse(await verified.json()).access_token;
    expect(await identitiesOf(browser)).toEqual([]);
    expect((await connect(browser)).status).toBe(204);
    expect((await new SsoBrowser(sso, person).signInBySso()).status).toBe(200);
    expect(
      await codeOf(await browser.call("DELETE", accountPaths.identity((await identitiesOf(browser))[0]?.id ?? ""))),
    ).toEqual([403, "proof-needed"]);
  });

  it("an attempt to connect or to prove needs a session", async () => {
    for (const purpose of ["connect", "prove"]) {
      const body = { provider: "oidc", purpose };
      expect(await codeOf(await app.call("POST", accountPaths.ssoAttempts, { body }))).toEqual([401, "not-signed-in"]);
    }
  });
});

describe("disconnecting an identity", () => {
  const disconnect = async (browser: SsoBrowser) =>
    browser.call("DELETE", accountPaths.identity((await identitiesOf(browser))[0]?.id ?? "none"));

  it("disconnecting an identity keeps the account, ends the sessions that it began, and is mailed", async () => {
    const { account, browser } = await browserWithPassword(newOidcPerson());
    await connect(browser);
    const other = new SsoBrowser(sso, browser.person);
    await other.signInBySso();
    expect((await disconnect(browser)).status).toBe(204);
    expect(await identitiesOf(browser)).toEqual([]);
    expect((await other.call("GET", accountPaths.me)).status).toBe(401);
    expect(await securityEventsOf(app, account.user.id)).toContain("identity-disconnected");
    const subject = "Single sign-on was disconnected from your account at Parley";
    expect(await subjectsTo(app, account.user.email)).toContain(subject);
  });

  it("O6 an identity of a provider that is no longer set up is no way in", async () => {
    const { account, browser } = await browserWithPassword(newOidcPerson());
    await connect(browser);
    const { database } = app.context;
    const ownIdentity = database.updateTable("external_identities").where("user_id", "=", account.user.id);
    await ownIdentity.set({ issuer: "https://gone.example.org" }).execute();
    await database
      .updateTable("users")
      .set({ google_subject: account.user.id })
      .where("id", "=", account.user.id)
      .execute();
    await database.updateTable("users").set({ password_hash: null }).where("id", "=", account.user.id).execute();
    const refused = await browser.call("DELETE", accountPaths.googleConnection);
    expect(await codeOf(refused)).toEqual([409, "last-sign-in"]);
    expect(await identitiesOf(browser)).toMatchObject([{ provider: "https://gone.example.org" }]);
  });

  it("O6 the last way in cannot be disconnected", async () => {
    const browser = new SsoBrowser(sso, newOidcPerson());
    await browser.signInBySso();
    expect((await browser.call("POST", accountPaths.proof, { sso: await browser.visit("prove") })).status).toBe(200);
    expect(await codeOf(await disconnect(browser))).toEqual([409, "last-sign-in"]);
    expect(await identitiesOf(browser)).toHaveLength(1);
  });

  it("the identity of another account is not found", async () => {
    const owner = new SsoBrowser(sso, newOidcPerson());
    await owner.signInBySso();
    const [identity] = await identitiesOf(owner);
    const { browser } = await browserWithPassword();
    const refused = await browser.call("DELETE", accountPaths.identity(identity?.id ?? ""));
    expect(await codeOf(refused)).toEqual([404, "not-found"]);
  });
});

describe("a proof by the provider", () => {
  it("a proof by the provider asks the person to authenticate anew, and is valid in this session", async () => {
    const browser = new SsoBrowser(sso, newOidcPerson());
    await browser.signInBySso();
    const before = oidc.authentications;
    const unproved = await browser.call("POST", accountPaths.username, { username: "adaproved" });
    expect(await codeOf(unproved)).toEqual([403, "proof-needed"]);
    const proved = await browser.call("POST", accountPaths.proof, { sso: await browser.visit("prove") });
    expect(proved.status).toBe(200);
    expect(oidc.authentications).toBe(before + 1);
    expect((await browser.call("POST", accountPaths.username, { username: "adaproved" })).status).toBe(200);
  });

  it("an answer of another person, or from an old session of the provider, proves nothing", async () => {
    const browser = new SsoBrowser(sso, newOidcPerson());
    await browser.signInBySso();
    const other = new SsoBrowser(sso, newOidcPerson());
    await other.signInBySso();
    other.cookies.clear();
    for (const [name, value] of browser.cookies) other.cookies.set(name, value);
    other.token = browser.token;
    const answer = await other.visit("prove");
    const body = { sso: answer };
    expect(await codeOf(await other.call("POST", accountPaths.proof, body))).toEqual([400, "bad-sso-answer"]);
    const silent = { sso: await browser.visit("sign-in") };
    expect(await codeOf(await browser.call("POST", accountPaths.proof, silent))).toEqual([400, "bad-sso-answer"]);
  });
});

describe("a new password by mail", () => {
  it("a new password by mail disconnects the identities of an account with a password, and mails its owner", async () => {
    const { account, browser } = await browserWithPassword(newOidcPerson());
    await connect(browser);
    await app.call("POST", accountPaths.forgotPassword, { body: { email: account.user.email } });
    const key = await newestKeyFor(app, "reset-password", account.user.email);
    const body = { key, password: "another horse battery" };
    expect((await app.call("POST", accountPaths.resetPassword, { body })).status).toBe(200);
    const subject = "Single sign-on was disconnected from your account at Parley";
    expect(await subjectsTo(app, account.user.email)).toContain(subject);
  });

  it("a first password by mail leaves the identity of an account connected", async () => {
    const person = newOidcPerson();
    await new SsoBrowser(sso, person).signInBySso();
    await app.call("POST", accountPaths.forgotPassword, { body: { email: person.email } });
    const key = await newestKeyFor(app, "reset-password", String(person.email));
    await app.call("POST", accountPaths.resetPassword, { body: { key, password: "another horse battery" } });
    expect((await new SsoBrowser(sso, person).signInBySso()).status).toBe(200);
  });
});
