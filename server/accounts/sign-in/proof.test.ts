import { describe, expect, it } from "vitest";
import { provedSchema } from "#contract/accounts/account-settings.ts";
import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { sessionListSchema } from "#contract/accounts/sessions.ts";
import { HOUR, MINUTE, SECOND } from "#contract/limits.ts";
import { problemSchema } from "#contract/problem.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { startGoogleApp } from "../../../testing/accounts/google-app.ts";
import { newestKeyFor } from "../../../testing/accounts/mailed-links.ts";
import { newPerson, signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { TestBrowser } from "../../../testing/http/test-browser.ts";

const { app, google, clock } = disposeAfterAll(await startGoogleApp());

const prove = (token: string, body: unknown) => app.call("POST", accountPaths.proof, { token, body });
/** A call that requires a proof, and its effect. */
const disconnect = (token: string) => app.call("DELETE", accountPaths.googleConnection, { token });
const codeOf = async (response: Response) => problemSchema.parse(await response.json()).code;

let people = 0;
const subject = () => `20000000000000000${++people}`;
const idToken = (claims: Record<string, unknown>) => google.issueIdToken(claims, clock.now());

async function connected(sub = subject()): Promise<TestAccount & { sub: string }> {
  const ada = await signUp(app);
  await prove(ada.token, { password: ada.password });
  const body = { id_token: await idToken({ sub, email: ada.user.email }) };
  expect((await app.call("POST", accountPaths.googleConnection, { token: ada.token, body })).status).toBe(204);
  return { ...ada, sub };
}

describe("proofs by password or Google", () => {
  it("A7 a proof is required after a mailed key, and valid for ten minutes in its session only", async () => {
    const { token, user, password } = await signUp(app);
    const refused = await disconnect(token);
    expect([refused.status, await codeOf(refused)]).toEqual([403, "proof-needed"]);
    const proved = await prove(token, { password });
    expect(proved.status).toBe(200);
    expect(provedSchema.parse(await proved.json())).toEqual({ provedUntil: clock.now() + 10 * MINUTE });
    clock.advance(10 * MINUTE - SECOND);
    expect((await disconnect(token)).status).toBe(204);
    clock.advance(SECOND);
    expect((await disconnect(token)).status).toBe(403);
    const other = new TestBrowser(app);
    expect((await other.signIn(user.username, password)).status).toBe(200);
    expect((await other.call("DELETE", accountPaths.googleConnection)).status).toBe(204);
    expect((await disconnect(token)).status).toBe(403);
  });

  it("A7 a registration counts as a proof for ten minutes, if its link is opened in the same browser", async () => {
    const register = async (browser: TestBrowser): Promise<string> => {
      const person = newPerson();
      expect((await browser.call("POST", accountPaths.register, person)).status).toBe(201);
      return newestKeyFor(app, "verify-email", person.email);
    };
    const verify = async (browser: TestBrowser, key: string) => {
      const response = await browser.call("POST", accountPaths.verify, { key });
      browser.token = signedInSchema.parse(await response.json()).access_token;
    };
    const disconnectIn = async (browser: TestBrowser) =>
      (await browser.call("DELETE", accountPaths.googleConnection)).status;
    const [own, foreign, late] = [new TestBrowser(app), new TestBrowser(app), new TestBrowser(app)];
    const keys = [await register(own), await register(own), await register(late)] as const;
    await verify(own, keys[0]);
    await verify(foreign, keys[1]);
    expect([await disconnectIn(own), await disconnectIn(foreign)]).toEqual([204, 403]);
    clock.advance(10 * MINUTE);
    await verify(late, keys[2]);
    expect([await disconnectIn(own), await disconnectIn(late)]).toEqual([403, 403]);
  });

  it("L3 a proof is required to end other sessions and to export everything, which a stolen session cannot do", async () => {
    const { token: stolen, user, password } = await signUp(app);
    const owner = new TestBrowser(app);
    expect((await owner.signIn(user.username, password)).status).toBe(200);
    const list = sessionListSchema.parse(await (await owner.call("GET", accountPaths.sessions)).json());
    const [own] = list.filter(({ isCurrent }) => isCurrent);
    const calls = [
      ["DELETE", accountPaths.session(own?.id ?? "")],
      ["DELETE", accountPaths.sessions],
      ["GET", transferPaths.export],
    ] as const;
    for (const [method, path] of calls) {
      const refused = await app.call(method, path, { token: stolen });
      expect([path, refused.status, await codeOf(refused)]).toEqual([path, 403, "proof-needed"]);
    }
    expect((await owner.call("GET", accountPaths.me)).status).toBe(200);
    expect((await owner.call("GET", transferPaths.export)).status).toBe(200);
    expect((await owner.call("DELETE", accountPaths.sessions)).status).toBe(204);
    expect((await app.call("GET", accountPaths.me, { token: stolen })).status).toBe(401);
    clock.advance(10 * MINUTE);
    expect((await owner.call("GET", transferPaths.export)).status).toBe(403);
    expect((await owner.call("POST", accountPaths.logout)).status).toBe(204);
    expect((await owner.call("GET", accountPaths.me)).status).toBe(401);
  });

  it("R19 a proof expires when the clock is set back", async () => {
    const { token, password } = await signUp(app);
    expect((await prove(token, { password })).status).toBe(200);
    clock.advance(-HOUR);
    const refused = await disconnect(token);
    expect([refused.status, await codeOf(refused)]).toEqual([403, "proof-needed"]);
    clock.advance(HOUR);
    expect((await disconnect(token)).status).toBe(204);
  });

  it("a wrong password is refused as a proof without ending the session, and throttled like a sign-in", async () => {
    const { token, user, password } = await signUp(app);
    for (let count = 0; count < 10; count++) {
      const response = await prove(token, { password: "not mine" });
      expect([response.status, await codeOf(response)]).toEqual([400, "wrong-password"]);
    }
    expect((await prove(token, { password })).status).toBe(429);
    const body = { username: user.username, password };
    expect((await app.call("POST", accountPaths.login, { body })).status).toBe(429);
    expect((await app.call("GET", accountPaths.me, { token })).status).toBe(200);
    clock.advance(SECOND);
    expect((await prove(token, { password })).status).toBe(200);
  });

  it("only a password or a token is accepted as a proof", async () => {
    const { token } = await signUp(app);
    for (const body of [{}, { password: "" }, { password: ["x"] }, { id_token: "" }, { id_token: 1 }, [], null]) {
      expect((await prove(token, body)).status).toBe(400);
    }
    const response = await prove(token, { id_token: "x.y.z" });
    expect([response.status, await codeOf(response)]).toEqual([400, "bad-google-token"]);
    expect((await app.call("POST", accountPaths.proof, { body: { password: "x" } })).status).toBe(401);
  });

  it("only a token of the connected Google account is accepted as a proof", async () => {
    const { token, sub } = await connected();
    clock.advance(10 * MINUTE);
    for (const other of [subject(), (await connected()).sub]) {
      const response = await prove(token, { id_token: await idToken({ sub: other }) });
      expect([response.status, await codeOf(response)]).toEqual([400, "bad-google-token"]);
      expect((await disconnect(token)).status).toBe(403);
    }
    expect((await prove(token, { id_token: await idToken({ sub }) })).status).toBe(200);
    expect((await disconnect(token)).status).toBe(204);
    expect((await prove(token, { id_token: await idToken({ sub }) })).status).toBe(400);
  });

  it("F5 a proof by a token requires the nonce of the browser's page, once", async () => {
    const { user, password, sub } = await connected();
    const browser = new TestBrowser(app);
    await browser.signIn(user.username, password);
    const nonceOf = async (page: TestBrowser) =>
      ((await (await page.call("GET", accountPaths.authConfig)).json()) as { googleNonce: string }).googleNonce;
    const otherBrowsersNonce = await nonceOf(new TestBrowser(app));
    for (const nonce of [undefined, "", otherBrowsersNonce]) {
      const response = await browser.call("POST", accountPaths.proof, { id_token: await idToken({ sub, nonce }) });
      expect([response.status, await codeOf(response)]).toEqual([400, "bad-google-token"]);
    }
    const id_token = await idToken({ sub, nonce: await nonceOf(browser) });
    expect((await browser.call("POST", accountPaths.proof, { id_token })).status).toBe(200);
    expect((await browser.call("POST", accountPaths.proof, { id_token })).status).toBe(400);
  });
});
