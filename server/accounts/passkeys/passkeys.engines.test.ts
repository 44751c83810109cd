import { describe, expect, it } from "vitest";
import { authConfigSchema, signedInSchema } from "#contract/accounts/accounts.ts";
import {
  PASSKEYS_MAX,
  type PasskeyAssertion,
  type PasskeyList,
  passkeyChallengeSchema,
  passkeyListSchema,
} from "#contract/accounts/passkeys.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { sessionListSchema } from "#contract/accounts/sessions.ts";
import { MINUTE } from "#contract/limits.ts";
import { problemSchema } from "#contract/problem.ts";
import { subjectsTo } from "../../../testing/accounts/filed-mails.ts";
import { newestKeyFor } from "../../../testing/accounts/mailed-links.ts";
import {
  addTestPasskey,
  type Deviation,
  readChallenge,
  readCreation,
  SoftwareAuthenticator,
} from "../../../testing/accounts/passkeys.ts";
import { switchSecondFactorOn } from "../../../testing/accounts/second-factor.ts";
import { securityEventsOf } from "../../../testing/accounts/security-events-of.ts";
import { signUpProved, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { TestBrowser } from "../../../testing/http/test-browser.ts";

const PUBLIC_URL = "https://chat.example.org";
const clock = new TestClock();
const app = disposeAfterAll(await startTestApp({ clock, env: { PUBLIC_URL } }));

const codeOf = async (response: Response) => [response.status, problemSchema.parse(await response.json()).code];

const readList = async ({ token }: Pick<TestAccount, "token">): Promise<PasskeyList> =>
  passkeyListSchema.parse(await (await app.call("GET", accountPaths.passkeys, { token })).json());

const signIn = (passkey: PasskeyAssertion) => app.call("POST", accountPaths.passkeySignIn, { body: { passkey } });

const signInBy = async (authenticator: SoftwareAuthenticator) =>
  signedInSchema.parse(await (await signIn(authenticator.get(await readChallenge(app)))).json());

describe("adding a passkey", () => {
  it("needs a recent proof, and names the passkey, which is mailed and logged", async () => {
    const account = await signUpProved(app);
    const { passkey } = await addTestPasskey(app, account);
    expect(await readList(account)).toEqual({
      passkeys: [{ id: passkey.id, name: expect.any(String), createdAt: clock.now(), lastUsedAt: null }],
    });
    expect(passkey.name).not.toBe("");
    expect(await securityEventsOf(app, account.user.id)).toContain("passkey-added");
    expect(await subjectsTo(app, account.user.email)).toContain("A passkey was added to your account at Parley");
    clock.advance(11 * MINUTE);
    const unproved = await app.call("POST", accountPaths.passkeyCreation, { token: account.token, body: {} });
    expect(await codeOf(unproved)).toEqual([403, "proof-needed"]);
  });

  it("the options name the account and exclude the passkeys that it has", async () => {
    const account = await signUpProved(app);
    const { passkey } = await addTestPasskey(app, account);
    expect(await readCreation(app, account)).toMatchObject({
      rp: { id: "chat.example.org", name: "Parley" },
      user: { name: account.user.username },
      excludeCredentials: [{ type: "public-key", id: passkey.id }],
    });
  });

  it.each<[string, Deviation]>([
    ["of another site", { origin: "https://chat.example.com" }],
    ["for another host", { host: "example.com" }],
    ["without verification of the person", { isVerified: false }],
  ])("a passkey %s is refused", async (_, deviation) => {
    const account = await signUpProved(app);
    const authenticator = new SoftwareAuthenticator(PUBLIC_URL);
    const body = { passkey: authenticator.create(await readCreation(app, account), deviation) };
    const refused = await app.call("POST", accountPaths.passkeys, { token: account.token, body });
    expect(await codeOf(refused)).toEqual([403, "bad-passkey"]);
    expect((await readList(account)).passkeys).toEqual([]);
  });

  it("a challenge serves one session, once, for five minutes", async () => {
    const account = await signUpProved(app);
    const other = await signUpProved(app);
    const creation = await readCreation(app, account);
    const add = ({ token }: TestAccount) => {
      const passkey = new SoftwareAuthenticator(PUBLIC_URL).create(creation);
      return app.call("POST", accountPaths.passkeys, { token, body: { passkey } });
    };
    expect(await codeOf(await add(other))).toEqual([403, "bad-passkey"]);
    expect((await add(account)).status).toBe(200);
    expect(await codeOf(await add(account))).toEqual([403, "bad-passkey"]);
    const late = new SoftwareAuthenticator(PUBLIC_URL).create(await readCreation(app, account));
    clock.advance(5 * MINUTE);
    const expired = await app.call("POST", accountPaths.passkeys, { token: account.token, body: { passkey: late } });
    expect(await codeOf(expired)).toEqual([403, "bad-passkey"]);
  });

  it("an account with a second factor adds one by a code only, so that a stolen session cannot", async () => {
    const account = await signUpProved(app);
    const { authenticator: codes } = await switchSecondFactorOn(app, account);
    const { token } = account;
    const begin = (body: object) => app.call("POST", accountPaths.passkeyCreation, { token, body });
    expect(await codeOf(await begin({}))).toEqual([403, "wrong-code"]);
    expect(await codeOf(await begin({ code: "000000" }))).toEqual([403, "wrong-code"]);
    const code = codes.codeAt(clock.now());
    expect((await begin({ code })).status).toBe(200);
    expect(await codeOf(await begin({ code }))).toEqual([403, "wrong-code"]);
  });

  it("an account has at most twenty, even if several are added at once", async () => {
    const account = await signUpProved(app);
    for (let n = 0; n < PASSKEYS_MAX - 1; n++) await addTestPasskey(app, account);
    const bodies = [];
    for (let n = 0; n < 3; n++) {
      bodies.push({ passkey: new SoftwareAuthenticator(PUBLIC_URL).create(await readCreation(app, account)) });
    }
    const { token } = account;
    const answers = await Promise.all(bodies.map((body) => app.call("POST", accountPaths.passkeys, { token, body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await readList(account)).passkeys).toHaveLength(PASSKEYS_MAX);
  });
});

describe("a sign-in by passkey", () => {
  it("needs no name, and shows in the list of sessions and as last use", async () => {
    const account = await signUpProved(app);
    const { authenticator, passkey } = await addTestPasskey(app, account);
    clock.advance(MINUTE);
    const signedIn = await signInBy(authenticator);
    expect(signedIn.user.username).toBe(account.user.username);
    const token = signedIn.access_token;
    const sessions = sessionListSchema.parse(await (await app.call("GET", accountPaths.sessions, { token })).json());
    expect(sessions[0]?.method).toBe("passkey");
    expect((await readList(account)).passkeys).toEqual([
      expect.objectContaining({ id: passkey.id, lastUsedAt: clock.now() }),
    ]);
  });

  it("counts as both steps for an account with a second factor", async () => {
    const account = await signUpProved(app);
    const { authenticator } = await addTestPasskey(app, account);
    await switchSecondFactorOn(app, account);
    expect((await signInBy(authenticator)).user.username).toBe(account.user.username);
  });

  it.each<[string, Deviation]>([
    ["for another site, as a phishing page gets it", { origin: "https://chat.example.com" }],
    ["for another host", { host: "example.com" }],
    ["without verification of the person", { isVerified: false }],
    ["of a copy, whose counter is behind", { counter: 1 }],
  ])("an answer %s is refused", async (_, deviation) => {
    const account = await signUpProved(app);
    const { authenticator } = await addTestPasskey(app, account);
    await signInBy(authenticator);
    const refused = await signIn(authenticator.get(await readChallenge(app), deviation));
    expect(await codeOf(refused)).toEqual([403, "bad-passkey"]);
  });

  it("an answer signs in once, even if it is sent twice at once, and within five minutes", async () => {
    const account = await signUpProved(app);
    const { authenticator } = await addTestPasskey(app, account);
    const answer = authenticator.get(await readChallenge(app));
    const answers = await Promise.all([signIn(answer), signIn(answer)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    const late = authenticator.get(await readChallenge(app));
    clock.advance(5 * MINUTE);
    expect(await codeOf(await signIn(late))).toEqual([403, "bad-passkey"]);
  });

  it("an answer to another browser's challenge is refused", async () => {
    const account = await signUpProved(app);
    const { authenticator } = await addTestPasskey(app, account);
    const origin = PUBLIC_URL;
    const [victim, thief] = [new TestBrowser(app, { origin }), new TestBrowser(app, { origin })];
    for (const browser of [victim, thief]) await browser.call("GET", accountPaths.authConfig);
    const challenge = await victim.call("POST", accountPaths.passkeyChallenge);
    const passkey = authenticator.get(passkeyChallengeSchema.parse(await challenge.json()));
    const stolen = await thief.call("POST", accountPaths.passkeySignIn, { passkey });
    expect(await codeOf(stolen)).toEqual([403, "bad-passkey"]);
    expect((await victim.call("POST", accountPaths.passkeySignIn, { passkey })).status).toBe(200);
  });

  it("a forged signature, an unknown passkey and a handle of another account are refused", async () => {
    const account = await signUpProved(app);
    const { authenticator } = await addTestPasskey(app, account);
    const challenge = await readChallenge(app);
    const right = authenticator.get(challenge);
    const unknown = new SoftwareAuthenticator(PUBLIC_URL);
    unknown.create(await readCreation(app, account));
    const forged = unknown.get(challenge);
    for (const passkey of [
      forged,
      { ...forged, id: right.id, rawId: right.id },
      { ...right, response: { ...right.response, userHandle: Buffer.from("another").toString("base64url") } },
    ]) {
      expect(await codeOf(await signIn(passkey))).toEqual([403, "bad-passkey"]);
    }
    expect((await signIn(right)).status).toBe(200);
  });

  it("the sign-in page learns whether there are passkeys here", async () => {
    const readConfig = async (from: typeof app) =>
      authConfigSchema.parse(await (await from.call("GET", accountPaths.authConfig)).json()).hasPasskeys;
    await using fresh = await startTestApp({ env: { PUBLIC_URL } });
    expect(await readConfig(fresh)).toBeUndefined();
    await addTestPasskey(fresh, await signUpProved(fresh));
    expect(await readConfig(fresh)).toBe(true);
  });
});

describe("a passkey as second step and as proof", () => {
  it("a passkey completes a sign-in instead of a code, and only its own account's", async () => {
    const account = await signUpProved(app);
    const { authenticator } = await addTestPasskey(app, account);
    await switchSecondFactorOn(app, account);
    const other = await addTestPasskey(app, await signUpProved(app));
    const body = { username: account.user.username, password: account.password };
    const first = await app.call("POST", accountPaths.login, { body });
    const { ticket } = problemSchema.parse(await first.json());
    const step = async (of: SoftwareAuthenticator) =>
      app.call("POST", accountPaths.secondStep, { body: { ticket, passkey: of.get(await readChallenge(app)) } });
    expect(await codeOf(await step(other.authenticator))).toEqual([403, "bad-passkey"]);
    expect((await step(authenticator)).status).toBe(200);
  });

  it("a passkey proves that it is the owner, once, and no other account's does", async () => {
    const account = await signUpProved(app);
    const { authenticator } = await addTestPasskey(app, account);
    const other = await addTestPasskey(app, await signUpProved(app));
    clock.advance(11 * MINUTE);
    const { token } = account;
    const prove = (passkey: PasskeyAssertion) => app.call("POST", accountPaths.proof, { token, body: { passkey } });
    expect(await codeOf(await prove(other.authenticator.get(await readChallenge(app))))).toEqual([403, "bad-passkey"]);
    const answer = authenticator.get(await readChallenge(app));
    expect((await prove(answer)).status).toBe(200);
    expect((await app.call("POST", accountPaths.passkeyCreation, { token, body: {} })).status).toBe(200);
    expect(await codeOf(await prove(answer))).toEqual([403, "bad-passkey"]);
  });
});

describe("the passkeys of an account", () => {
  it("passkeys are renamed and removed by their account only", async () => {
    const account = await signUpProved(app);
    const other = await signUpProved(app);
    const { passkey } = await addTestPasskey(app, account);
    const path = accountPaths.passkey(passkey.id);
    const rename = ({ token }: TestAccount) => app.call("PATCH", path, { token, body: { name: " My phone " } });
    const remove = ({ token }: TestAccount) => app.call("DELETE", path, { token });
    expect(await codeOf(await rename(other))).toEqual([404, "not-found"]);
    expect(await codeOf(await remove(other))).toEqual([404, "not-found"]);
    expect((await rename(account)).status).toBe(204);
    expect((await readList(account)).passkeys).toEqual([expect.objectContaining({ name: "My phone" })]);
    expect((await remove(account)).status).toBe(204);
    expect((await readList(account)).passkeys).toEqual([]);
    expect(await subjectsTo(app, account.user.email)).toContain("A passkey of your account at Parley was removed");
  });

  it("removing one ends its use and the sessions that began by one", async () => {
    const account = await signUpProved(app);
    const { authenticator, passkey } = await addTestPasskey(app, account);
    const { access_token: token } = await signInBy(authenticator);
    await app.call("DELETE", accountPaths.passkey(passkey.id), { token: account.token });
    expect((await app.call("GET", accountPaths.me, { token })).status).toBe(401);
    expect((await app.call("GET", accountPaths.me, { token: account.token })).status).toBe(200);
    expect(await codeOf(await signIn(authenticator.get(await readChallenge(app))))).toEqual([403, "bad-passkey"]);
  });

  it("a reset of the password by mail removes them, as it may end an attack", async () => {
    const account = await signUpProved(app);
    const { authenticator } = await addTestPasskey(app, account);
    await app.call("POST", accountPaths.forgotPassword, { body: { email: account.user.email } });
    const key = await newestKeyFor(app, "reset-password", account.user.email);
    const body = { key, password: "a new and long password" };
    expect((await app.call("POST", accountPaths.resetPassword, { body })).status).toBe(200);
    expect(await codeOf(await signIn(authenticator.get(await readChallenge(app))))).toEqual([403, "bad-passkey"]);
    expect(await securityEventsOf(app, account.user.id)).toContain("passkey-removed");
  });
});

describe("a passkey where a second factor is required", () => {
  it("the password then needs the passkey, sets no other factor up, and the passkey cannot be removed", async () => {
    await using strict = await startTestApp({ clock, env: { PUBLIC_URL } });
    const account = await signUpProved(strict);
    const { authenticator, passkey } = await addTestPasskey(strict, account);
    const { id, username } = account.user;
    await strict.context.database.updateTable("users").set({ needs_second_factor: 1 }).where("id", "=", id).execute();
    const body = { username, password: account.password };
    const first = await strict.call("POST", accountPaths.login, { body });
    const { code, ticket } = problemSchema.parse(await first.json());
    expect(code).toBe("second-factor-needed");
    const enrolment = await strict.call("POST", accountPaths.secondStepEnrolment, { body: { ticket } });
    expect(await codeOf(enrolment)).toEqual([403, "second-step-expired"]);
    const shown = { ticket, passkey: authenticator.get(await readChallenge(strict)) };
    expect((await strict.call("POST", accountPaths.secondStep, { body: shown })).status).toBe(200);
    const removed = await strict.call("DELETE", accountPaths.passkey(passkey.id), { token: account.token });
    expect(await codeOf(removed)).toEqual([409, "second-factor-required"]);
  });
});

describe("where passkeys cannot be", () => {
  it.each([
    ["http://192.0.2.7", "address"],
    ["https://[2001:db8::7]", "address"],
    ["http://chat.example.org", "unencrypted"],
  ])("at %s the reason is answered: %s", async (publicUrl, unavailable) => {
    await using elsewhere = await startTestApp({ env: { PUBLIC_URL: publicUrl } });
    const { token } = await signUpProved(elsewhere);
    const list = await elsewhere.call("GET", accountPaths.passkeys, { token });
    expect(await list.json()).toEqual({ passkeys: [], unavailable });
    const refused = await elsewhere.call("POST", accountPaths.passkeyCreation, { token, body: {} });
    expect(await codeOf(refused)).toEqual([409, "passkeys-unavailable"]);
  });

  it("http is enough on localhost", async () => {
    await using local = await startTestApp({ env: { PUBLIC_URL: "http://localhost:3000" } });
    const { authenticator } = await addTestPasskey(local, await signUpProved(local));
    const passkey = authenticator.get(await readChallenge(local));
    expect((await local.call("POST", accountPaths.passkeySignIn, { body: { passkey } })).status).toBe(200);
  });
});
