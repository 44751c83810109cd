import { afterAll, beforeAll, expect, it } from "vitest";
import { noIds } from "../../testing/accounts/route-owner.ts";
import { signUpProved } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp, TestClock } from "../../testing/app/start-test-app.ts";
import { routeOf, routeRows } from "../../testing/http/route-rows.ts";
import { GOOGLE_CLIENT_ID, type KeyServer, startKeyServer } from "../../testing/servers/key-server.ts";

let keyServer: KeyServer;
let app: TestApp;
beforeAll(async () => {
  keyServer = await startKeyServer();
  const google = { GOOGLE_CLIENT_ID, GOOGLE_JWKS_URL: keyServer.url };
  app = await startTestApp({ clock: new TestClock(), env: { RATE_LIMITS: "on", TRUST_PROXY: "true", ...google } });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await keyServer[Symbol.asyncDispose]();
});

/** Exceeds every limit per minute of these routes. */
const TRIES = 40;
/** Fields whose values an attacker could try out, or that cause mails to others. */
const STATING = ["username", "email", "password", "currentPassword", "key", "id_token", "firstname"];

const ids = noIds();
const noPerson = { username: "nobody", email: "nobody@example.org", password: "a wrong password" };
const stating = Object.entries(routeRows)
  .filter(([, { body }]) => STATING.some((field) => field in (body?.(noPerson, ids) ?? {})))
  .map(([name, row], at) => ({ name, ...row, ...routeOf(name), ip: `198.51.100.${at + 1}` }));

it("the limited routes include all that accept names, addresses, passwords, keys and Google's tokens", () => {
  expect(stating.length).toBeGreaterThanOrEqual(14);
});

it.each(stating)("B2 C4 $name is limited", async ({ method, path, body, ip }) => {
  const { token, user } = await signUpProved(app);
  const person = { username: user.username, email: user.email, password: noPerson.password };
  const headers = { "x-forwarded-for": ip };
  for (let count = 1; count <= TRIES; count++) {
    const response = await app.call(method, path, { token, headers, body: body?.(person, ids) });
    if (response.status !== 429) continue;
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    return;
  }
  throw new Error(`${TRIES} calls were answered`);
});
