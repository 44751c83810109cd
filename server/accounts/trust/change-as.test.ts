import { describe, expect, it, vi } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { DAY, MINUTE } from "#contract/limits.ts";
import { problemSchema } from "#contract/problem.ts";
import { startGoogleApp } from "../../../testing/accounts/google-app.ts";
import { newestKeyFor } from "../../../testing/accounts/mailed-links.ts";
import { newPerson, signUp, signUpProved, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp } from "../../../testing/app/start-test-app.ts";
import { type HeldAnswer, holdBody } from "../../../testing/http/held-body.ts";
import { GOOGLE_CLIENT_ID, startKeyServer } from "../../../testing/servers/key-server.ts";
import { isProofFresh } from "../../http/session-hook.ts";

const { app, google, clock } = disposeAfterAll(await startGoogleApp());

const NEW_PASSWORD = "another horse battery";
const codeOf = ({ text }: HeldAnswer) => problemSchema.parse(JSON.parse(text)).code;
const rowOf = ({ user }: TestAccount) =>
  app.context.database.selectFrom("users").selectAll().where("id", "=", user.id).executeTakeFirstOrThrow();

async function reset({ user }: TestAccount): Promise<void> {
  await app.call("POST", accountPaths.forgotPassword, { body: { email: user.email } });
  const key = await newestKeyFor(app, "reset-password", user.email);
  const answer = await app.call("POST", accountPaths.resetPassword, { body: { key, password: NEW_PASSWORD } });
  expect(answer.status).toBe(200);
}

const idToken = () => google.issueIdToken({ sub: newPerson().username, email: "eve@example.net" }, clock.now());

/** Requests that change an account, with bodies that a valid session may send. */
const changes: [string, string, (account: TestAccount) => unknown][] = [
  ["PATCH", accountPaths.me, () => ({ firstname: "Eve", lastname: "Eve" })],
  ["POST", accountPaths.username, () => ({ username: newPerson().username })],
  ["POST", accountPaths.password, ({ password }) => ({ currentPassword: password, password: "eve's own password" })],
  ["POST", accountPaths.email, () => ({ email: newPerson().email })],
  ["POST", accountPaths.googleConnection, async () => ({ id_token: await idToken() })],
  ["DELETE", accountPaths.googleConnection, () => ({})],
  ["POST", accountPaths.accountDeletion, () => ({ isImmediate: true })],
  ["POST", accountPaths.proof, ({ password }) => ({ password })],
  ["DELETE", accountPaths.sessions, () => ({})],
  ["DELETE", accountPaths.session("another"), () => ({})],
  ["POST", conversationPaths.chats, () => ({})],
];
const unproved: string[] = [accountPaths.me, accountPaths.proof, conversationPaths.chats];
const proved = changes.filter(([, path]) => !unproved.includes(path));

describe("delayed request bodies", () => {
  it.each(changes)(
    "E4 A7 %s %s with a delayed body has no effect once the session has ended",
    async (method, path, bodyOf) => {
      const account = await signUpProved(app);
      const send = await holdBody(app, { method, path, token: account.token, body: await bodyOf(account) });
      await reset(account);
      const before = await rowOf(account);
      const answer = await send();
      expect([answer.status, codeOf(answer)]).toEqual([401, "not-signed-in"]);
      expect(await rowOf(account)).toEqual(before);
    },
  );

  it.each(proved)(
    "A7 L3 %s %s with a delayed body needs a proof that is valid when the body arrives",
    async (method, path, bodyOf) => {
      const account = await signUpProved(app);
      const send = await holdBody(app, { method, path, token: account.token, body: await bodyOf(account) });
      clock.advance(10 * MINUTE);
      const answer = await send();
      expect([answer.status, codeOf(answer)]).toEqual([403, "proof-needed"]);
    },
  );
});

it("E4 a slow change is not made if the session ends meanwhile", async () => {
  await using keys = await startKeyServer();
  keys.state = "held";
  await using own = await startTestApp({ clock, env: { GOOGLE_CLIENT_ID, GOOGLE_JWKS_URL: keys.url } });
  const { token, user, password } = await signUpProved(own);
  const id_token = await keys.issueIdToken({ sub: "eve" }, clock.now());
  const answer = own.call("POST", accountPaths.googleConnection, { token, body: { id_token } });
  await vi.waitUntil(() => keys.requests === 1);
  const body = { username: user.username, password };
  const other = (await (await own.call("POST", accountPaths.login, { body })).json()) as { access_token: string };
  await own.call("DELETE", accountPaths.sessions, { token: other.access_token });
  keys.letGo();
  expect((await answer).status).toBe(401);
  const { google_subject } = await own.context.database
    .selectFrom("users")
    .selectAll()
    .where("id", "=", user.id)
    .executeTakeFirstOrThrow();
  expect(google_subject).toBeNull();
});

it("a clock that is set back does not extend a proof", () => {
  const now = 365 * DAY;
  expect(isProofFresh(now, now)).toBe(true);
  expect(isProofFresh(now - 10 * MINUTE, now)).toBe(false);
  expect(isProofFresh(now + MINUTE, now)).toBe(true);
  expect(isProofFresh(now + 2 * MINUTE, now)).toBe(false);
});

it("a session is signed out once when two requests do it concurrently", async () => {
  const { token } = await signUp(app);
  const answers = await Promise.all([0, 1, 2, 3].map(() => app.call("POST", accountPaths.logout, { token })));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 401, 401, 401]);
});
