import type { JWTPayload } from "jose";
import { describe, expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { providerLogoutSchema } from "#contract/accounts/single-sign-on.ts";
import { API_BASE } from "#contract/http.ts";
import { MINUTE } from "#contract/limits.ts";
import { switchSecondFactorOn } from "../../../testing/accounts/second-factor.ts";
import { securityEventsOf } from "../../../testing/accounts/security-events-of.ts";
import { signUp } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { type TestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { createSharedDatabase } from "../../../testing/servers/shared-database.ts";
import { testRedisUrl } from "../../../testing/servers/test-redis.ts";
import { OIDC_CLIENT, startOidcServer } from "../../../testing/sso/oidc-server.ts";
import { newOidcPerson, SSO_PUBLIC_URL, SsoBrowser, startSsoApp } from "../../../testing/sso/sso-app.ts";

const sso = disposeAfterAll(await startSsoApp());
const { app, oidc } = sso;

const EVENT = "http://schemas.openid.net/event/backchannel-logout";

const codeOf = async (response: Response) => [response.status, (await problemOf(response)).code];
const isSignedIn = async (browser: SsoBrowser) => (await browser.call("GET", accountPaths.me)).status === 200;

async function signedInBrowser(person = newOidcPerson()): Promise<SsoBrowser> {
  const browser = new SsoBrowser(sso, person);
  await browser.signInBySso();
  return browser;
}

/** Returns the provider's id of the session that began a session here. */
async function sidOf({ person }: SsoBrowser): Promise<string> {
  const rows = app.context.database.selectFrom("provider_sessions").select("sid").where("subject", "=", person.sub);
  return (await rows.executeTakeFirstOrThrow()).sid ?? "";
}

const post = (target: TestApp, token: string, type = "application/x-www-form-urlencoded") =>
  fetch(`${target.url}${API_BASE}${accountPaths.ssoLogout("oidc")}`, {
    method: "POST",
    headers: { "content-type": type },
    body: type.includes("json") ? JSON.stringify({ logout_token: token }) : `logout_token=${encodeURIComponent(token)}`,
  });

let tokens = 0;
const logoutClaims = (claims: Record<string, unknown>): JWTPayload => ({
  jti: `token-${++tokens}`,
  events: { [EVENT]: {} },
  ...claims,
});
const signed = (claims: Record<string, unknown>) => oidc.sign(logoutClaims(claims), { typ: "logout+jwt" });

describe("O5 a sign-out at the provider", () => {
  it("a sign-out at the provider ends the session that its session began, and no other", async () => {
    const browser = await signedInBrowser();
    const elsewhere = await signedInBrowser(browser.person);
    const other = await signedInBrowser();
    await oidc.logOut(browser.person.sub, await sidOf(browser));
    expect([await isSignedIn(browser), await isSignedIn(elsewhere), await isSignedIn(other)]).toEqual([
      false,
      true,
      true,
    ]);
    const { user_id: userId } = await app.context.database
      .selectFrom("external_identities")
      .select("user_id")
      .where("subject", "=", browser.person.sub)
      .executeTakeFirstOrThrow();
    expect(await securityEventsOf(app, userId)).toContain("signed-out-by-provider");
  });

  it("a sign-out of a person ends all sessions that the provider began, but none by password", async () => {
    const browser = await signedInBrowser();
    const elsewhere = await signedInBrowser(browser.person);
    const account = await signUp(app);
    expect((await post(app, await signed({ sub: browser.person.sub }))).status).toBe(200);
    expect([await isSignedIn(browser), await isSignedIn(elsewhere)]).toEqual([false, false]);
    expect((await app.call("GET", accountPaths.me, { token: account.token })).status).toBe(200);
  });

  it("a logout token is valid once, and a person without sessions is no failure", async () => {
    const browser = await signedInBrowser();
    const token = await signed({ sub: browser.person.sub });
    expect((await post(app, token)).status).toBe(200);
    const again = await signedInBrowser(browser.person);
    expect(await codeOf(await post(app, token))).toEqual([400, "bad-sso-answer"]);
    expect(await isSignedIn(again)).toBe(true);
    expect((await post(app, await signed({ sub: "unknown" }))).status).toBe(200);
  });

  it.each<[string, Record<string, unknown>]>([
    ["of another issuer", { iss: "https://other.example.org" }],
    ["for another client", { aud: "other" }],
    ["without the event", { events: {} }],
    ["with a nonce, as an id token has", { nonce: "one" }],
    ["without an id", { jti: undefined }],
    ["without a person and a session", { sub: undefined }],
    ["that has expired", { exp: Math.floor(Date.now() / 1000) - 120 }],
    ["that is old", { iat: Math.floor(Date.now() / 1000) - 3600 }],
    ["of the future", { iat: Math.floor(Date.now() / 1000) + 3600 }],
  ])("a token %s is refused", async (_, claims) => {
    const browser = await signedInBrowser();
    const refused = await post(app, await signed({ sub: browser.person.sub, ...claims }));
    expect(await codeOf(refused)).toEqual([400, "bad-sso-answer"]);
    expect(await isSignedIn(browser)).toBe(true);
  });

  it("a sign-in that is under way when its provider's session ends begins none", async () => {
    const browser = new SsoBrowser(sso, newOidcPerson());
    await browser.signInBySso();
    const sid = await sidOf(browser);
    const answer = await browser.visit();
    await oidc.logOut(browser.person.sub, sid);
    const late = await new SsoBrowser(sso, browser.person).call("GET", accountPaths.authConfig);
    expect(late.status).toBe(200);
    browser.token = undefined;
    browser.cookies.delete("XSRF-TOKEN");
    browser.cookies.delete("__Host-XSRF-TOKEN");
    expect(await codeOf(await browser.postSignIn(answer))).toEqual([400, "bad-sso-answer"]);
  });

  it("a first step that waits for a code ends with its provider's session", async () => {
    const clock = new TestClock(Date.now());
    await using strict = await startSsoApp({ clock, env: { OIDC_SECOND_FACTOR: "true" } });
    const person = newOidcPerson();
    const browser = new SsoBrowser(strict, person);
    await browser.signInBySso();
    await browser.call("POST", accountPaths.proof, { sso: await browser.visit("prove") });
    const { authenticator } = await switchSecondFactorOn(strict.app, { token: browser.token ?? "" });
    clock.advance(MINUTE);
    const second = new SsoBrowser(strict, person);
    const { ticket } = await problemOf(await second.signInBySso());
    const token = await strict.oidc.sign(logoutClaims({ sub: person.sub }), { typ: "logout+jwt" });
    expect((await post(strict.app, token)).status).toBe(200);
    const code = authenticator.codeAt(clock.now());
    expect(await codeOf(await second.call("POST", accountPaths.secondStep, { ticket, code }))).toEqual([
      403,
      "second-step-expired",
    ]);
  });

  it("a slash at the end of the issuer, which the configuration omits, changes nothing", async () => {
    await using slashed = await startSsoApp();
    slashed.oidc.replacedMetadata = { issuer: `${slashed.oidc.issuer}/` };
    const sub = "any";
    expect(
      (await post(slashed.app, await slashed.oidc.sign(logoutClaims({ sub, iss: `${slashed.oidc.issuer}/` })))).status,
    ).toBe(200);
  });

  it("a forged token is refused: unsigned, signed by another key, or with a changed claim", async () => {
    const browser = await signedInBrowser();
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const seconds = Math.floor(Date.now() / 1000);
    const claims = { iss: oidc.issuer, aud: OIDC_CLIENT.id, iat: seconds, exp: seconds + 120 };
    const payload = encode(logoutClaims({ ...claims, sub: browser.person.sub }));
    const [header = "", , signature = ""] = (await signed({ sub: "other" })).split(".");
    await using other = await startOidcServer();
    const forged = [
      `${encode({ alg: "none" })}.${payload}.`,
      `${header}.${payload}.${signature}`,
      await other.sign(logoutClaims({ ...claims, sub: browser.person.sub })),
      "not.a.token",
    ];
    for (const token of forged) expect(await codeOf(await post(app, token))).toEqual([400, "bad-sso-answer"]);
    expect(await isSignedIn(browser)).toBe(true);
  });

  it("many forged tokens cause no request to the provider for each", async () => {
    await using flooded = await startSsoApp();
    await using other = await startOidcServer();
    await post(flooded.app, await flooded.oidc.sign(logoutClaims({ sub: "any" })));
    const before = flooded.oidc.requests;
    for (let times = 0; times < 10; times++) {
      const token = await other.sign(logoutClaims({ sub: "any", iss: flooded.oidc.issuer }));
      expect((await post(flooded.app, token)).status).toBe(400);
    }
    expect(flooded.oidc.requests - before).toBeLessThanOrEqual(1);
  });

  it("G3 a form is accepted on this route alone, and an unknown provider is not found", async () => {
    const form = { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" }, body: "a=b" };
    expect((await fetch(`${app.url}${API_BASE}${accountPaths.login}`, form)).status).toBe(415);
    expect((await fetch(`${app.url}${API_BASE}${accountPaths.sso}`, form)).status).toBe(415);
    const unknown = await fetch(`${app.url}${API_BASE}${accountPaths.ssoLogout("other")}`, {
      ...form,
      body: "logout_token=a",
    });
    expect(await codeOf(unknown)).toEqual([404, "not-found"]);
    expect((await fetch(`${app.url}${API_BASE}${accountPaths.ssoLogout("oidc")}`, form)).status).toBe(400);
  });
});

describe("a sign-out here", () => {
  it("a sign-out here answers with the address of the provider that ends its session too", async () => {
    const browser = await signedInBrowser();
    const answer = await browser.call("POST", accountPaths.logout);
    const { origin, pathname, searchParams } = new URL(providerLogoutSchema.parse(await answer.json()).providerLogout);
    expect([origin, pathname]).toEqual([oidc.issuer, "/session/end"]);
    expect(searchParams.get("post_logout_redirect_uri")).toBe(`${SSO_PUBLIC_URL}/login`);
    expect(searchParams.get("id_token_hint")).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it("a provider whose sign-out page has no valid address keeps no session alive", async () => {
    await using odd = await startSsoApp();
    odd.oidc.replacedMetadata = { end_session_endpoint: "not a url" };
    const browser = new SsoBrowser(odd, newOidcPerson());
    await browser.signInBySso();
    expect((await browser.call("POST", accountPaths.logout)).status).toBe(204);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it("a sign-out of a session by password answers without an address", async () => {
    const { token } = await signUp(app);
    expect((await app.call("POST", accountPaths.logout, { token })).status).toBe(204);
  });

  it("N6 the stored token of the provider is encrypted", async () => {
    const browser = await signedInBrowser();
    const rows = app.context.database.selectFrom("provider_sessions").selectAll();
    const row = await rows.where("subject", "=", browser.person.sub).executeTakeFirstOrThrow();
    expect(row.id_token_encrypted).toMatch(/^[\w-]{100,}$/);
    expect(row.id_token_encrypted).not.toContain(".");
  });
});

describe.runIf(isOnPostgres && testRedisUrl !== undefined)("three processes", () => {
  it("O5 a sign-out at the provider ends open streams on each of them", async () => {
    await using database = await createSharedDatabase();
    await using provider = await startOidcServer();
    const env = { ...provider.env, PUBLIC_URL: SSO_PUBLIC_URL, REDIS_URL: testRedisUrl ?? "" };
    const start = () => database.startServer({ env });
    const [one, two, three] = [await start(), await start(), await start()];
    await provider.serve({ publicUrl: SSO_PUBLIC_URL, address: one.url });
    const browser = new SsoBrowser({ app: one, oidc: provider }, newOidcPerson());
    await browser.signInBySso();
    const token = browser.token ?? "";
    const streams = await Promise.all([one, two, three].map((server) => server.call("GET", "/events", { token })));
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { sid } = await one.context.database.selectFrom("provider_sessions").select("sid").executeTakeFirstOrThrow();
    await provider.logOut(browser.person.sub, sid ?? "");
    // Reading ends when a stream is closed or breaks off.
    await Promise.all(streams.map((stream) => stream.text().catch(() => undefined)));
    for (const server of [one, two, three]) {
      expect((await server.call("GET", accountPaths.me, { token })).status).toBe(401);
    }
  });
});
