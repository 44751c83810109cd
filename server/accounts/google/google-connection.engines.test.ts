import { describe, expect, it } from "vitest";
import { type SignedIn, signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { type SecurityEvent, securityLogSchema } from "#contract/accounts/sessions.ts";
import { MINUTE } from "#contract/limits.ts";
import { problemSchema } from "#contract/problem.ts";
import { filedMailsTo } from "../../../testing/accounts/filed-mails.ts";
import { followAccount } from "../../../testing/accounts/follow-account.ts";
import { startGoogleApp } from "../../../testing/accounts/google-app.ts";
import { newPerson, signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { TestBrowser } from "../../../testing/http/test-browser.ts";

const { app, google, clock } = disposeAfterAll(await startGoogleApp());

let people = 0;
const subject = () => `30000000000000000${++people}`;
const idToken = (claims: Record<string, unknown>) => google.issueIdToken(claims, clock.now());
const codeOf = async (response: Response) => problemSchema.parse(await response.json()).code;
const connect = async (token: string, claims: Record<string, unknown>) =>
  app.call("POST", accountPaths.googleConnection, { token, body: { id_token: await idToken(claims) } });
const disconnect = (token: string) => app.call("DELETE", accountPaths.googleConnection, { token });
const signInBy = async (claims: Record<string, unknown>): Promise<SignedIn> => {
  const response = await app.call("POST", accountPaths.google, { body: { id_token: await idToken(claims) } });
  return signedInSchema.parse(await response.json());
};
const kindsOf = async (token: string) =>
  securityLogSchema
    .parse(await (await app.call("GET", accountPaths.securityLog, { token })).json())
    .map(({ kind }: SecurityEvent) => kind);
const subjectOf = async ({ user }: TestAccount) =>
  (await app.context.database.selectFrom("users").selectAll().where("id", "=", user.id).executeTakeFirstOrThrow())
    .google_subject;

/** An account that has just re-authenticated. */
async function provedAccount(): Promise<TestAccount> {
  const ada = await signUp(app);
  const { password } = ada;
  expect((await app.call("POST", accountPaths.proof, { token: ada.token, body: { password } })).status).toBe(200);
  return ada;
}

describe("connecting Google", () => {
  it("F8 connecting Google identifies the account by its subject, enables sign-in by Google and notifies the owner", async () => {
    const ada = await provedAccount();
    const sub = subject();
    const email = "elsewhere@example.net";
    expect((await connect(ada.token, { sub, email })).status).toBe(204);
    expect((await signInBy({ sub, email: "moved@example.net" })).user.id).toBe(ada.user.id);
    expect(await kindsOf(ada.token)).toContain("google-connected");
    const subjects = (await filedMailsTo(app, ada.user.email)).map((mail) => mail.text);
    expect(subjects.filter((text) => /Google/.test(text))).toHaveLength(1);
    expect((await connect(ada.token, { sub, email })).status).toBe(204);
    expect((await kindsOf(ada.token)).filter((kind) => kind === "google-connected")).toHaveLength(1);
  });

  it("connecting Google is logged and mailed, also if a sign-in connects an address that Google hosts", async () => {
    const ada = await signUp(app, newPerson({ email: `linked${people}@gmail.com` }));
    const sub = subject();
    const { user, access_token: token } = await signInBy({ sub, email: ada.user.email });
    expect(user.id).toBe(ada.user.id);
    expect((await kindsOf(token)).slice(0, 2)).toEqual(["signed-in", "google-connected"]);
    const told = "Google sign-in was connected to your account at Parley";
    const subjects = async () => (await filedMailsTo(app, ada.user.email)).filter((mail) => mail.subject === told);
    expect(await subjects()).toHaveLength(1);
    await signInBy({ sub, email: ada.user.email });
    expect(await subjects()).toHaveLength(1);
  });

  it("a first Google sign-in creates an account whose security log begins with the registration", async () => {
    const { access_token: token } = await signInBy({ sub: subject(), email: `fresh${people}@example.org` });
    expect(await kindsOf(token)).toEqual(["signed-in", "registered"]);
  });

  it("refuses to connect a Google account that is connected elsewhere, or a second Google account", async () => {
    const [ada, eve] = [await provedAccount(), await provedAccount()];
    const sub = subject();
    expect((await connect(ada.token, { sub })).status).toBe(204);
    const taken = await connect(eve.token, { sub });
    expect([taken.status, await codeOf(taken)]).toEqual([409, "google-taken"]);
    const second = await connect(ada.token, { sub: subject() });
    expect([second.status, await codeOf(second)]).toEqual([409, "google-connected"]);
    expect([await subjectOf(ada), await subjectOf(eve)]).toEqual([sub, null]);
  });

  it("connects a Google account to one of two accounts that request it concurrently", async () => {
    const both = [await provedAccount(), await provedAccount()];
    const sub = subject();
    const tokens = await Promise.all(both.map(() => idToken({ sub })));
    const answers = await Promise.all(
      both.map(({ token }, at) =>
        app.call("POST", accountPaths.googleConnection, { token, body: { id_token: tokens[at] } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect((await Promise.all(both.map(subjectOf))).filter((one) => one === sub)).toHaveLength(1);
  });

  it("F5 V17 connects Google by a browser's token only with the nonce of its own page, once", async () => {
    const { user, password } = await signUp(app);
    const browser = new TestBrowser(app);
    await browser.signIn(user.username, password);
    const nonceOf = async (page: TestBrowser) =>
      ((await (await page.call("GET", accountPaths.authConfig)).json()) as { googleNonce: string }).googleNonce;
    const sub = subject();
    const otherBrowsersNonce = await nonceOf(new TestBrowser(app));
    for (const nonce of [undefined, otherBrowsersNonce]) {
      const id_token = await idToken({ sub, nonce });
      const response = await browser.call("POST", accountPaths.googleConnection, { id_token });
      expect([response.status, await codeOf(response)]).toEqual([400, "bad-google-token"]);
    }
    const id_token = await idToken({ sub, nonce: await nonceOf(browser) });
    expect((await browser.call("POST", accountPaths.googleConnection, { id_token })).status).toBe(204);
    expect((await browser.call("POST", accountPaths.googleConnection, { id_token })).status).toBe(400);
  });

  it("A7 connecting and disconnecting Google require recent re-authentication", async () => {
    const ada = await provedAccount();
    const sub = subject();
    clock.advance(10 * MINUTE);
    expect((await connect(ada.token, { sub })).status).toBe(403);
    expect(await subjectOf(ada)).toBeNull();
    expect((await disconnect(ada.token)).status).toBe(403);
  });
});

describe("disconnecting Google", () => {
  it("disconnecting Google ends the sessions that Google began, except the requesting one; the password stays valid", async () => {
    const ada = await provedAccount();
    const sub = subject();
    await connect(ada.token, { sub });
    const [one, other] = [await signInBy({ sub }), await signInBy({ sub })];
    await using stream = await followAccount(app, other.access_token);
    expect((await disconnect(one.access_token)).status).toBe(204);
    expect(await stream.next()).toBeUndefined();
    const statuses = [ada.token, one.access_token, other.access_token].map(
      async (token) => (await app.call("GET", accountPaths.me, { token })).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 401]);
    expect(await kindsOf(ada.token)).toContain("google-disconnected");
    expect(await subjectOf(ada)).toBeNull();
    const body = { username: ada.user.username, password: ada.password };
    expect((await app.call("POST", accountPaths.login, { body })).status).toBe(200);
    expect((await disconnect(ada.token)).status).toBe(204);
    expect((await kindsOf(ada.token)).filter((kind) => kind === "google-disconnected")).toHaveLength(1);
  });

  it("refuses to disconnect Google if it is the only way to sign in", async () => {
    const { access_token: token, user } = await signInBy({ sub: subject(), email: `only${people}@example.org` });
    const refused = await disconnect(token);
    expect([refused.status, await codeOf(refused)]).toEqual([409, "last-sign-in"]);
    expect(await kindsOf(token)).not.toContain("google-disconnected");
    expect((await app.call("GET", accountPaths.me, { token })).status).toBe(200);
    expect(user.emailVerified).toBe(true);
  });
});
