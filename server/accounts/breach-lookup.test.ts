import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { invite } from "../../testing/accounts/invitations.ts";
import { newestKeyFor } from "../../testing/accounts/mailed-links.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import { newPerson, PASSWORD, signUpProved } from "../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { admin } from "../../testing/cli/run-admin.ts";
import { problemOf } from "../../testing/http/problem-of.ts";
import { type RangeServer, type RangeServerState, sha1, startRangeServer } from "../../testing/servers/range-server.ts";

const BREACHED = "plum kettle orbit sand";
const OTHER = "another horse battery";

let ranges: RangeServer;
let app: TestApp;
beforeAll(async () => {
  ranges = await startRangeServer();
  ranges.add(BREACHED, 37);
  app = await startTestApp({ env: { PASSWORD_BREACH_LOOKUP: ranges.url, PASSWORD_POLICY: "strict" } });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await ranges[Symbol.asyncDispose]();
});
beforeEach(() => {
  ranges.state = "up";
  ranges.requests.length = 0;
});

const register = (server: TestApp, password: string, given = {}) =>
  server.call("POST", accountPaths.register, { body: { ...newPerson(given), password } });
const refusal = { code: "invalid-input", issues: [{ field: "password", rule: "common" }] };
const failureLines = (server: TestApp) => server.logLines.filter((line) => line.includes("could not be looked up"));

describe("the look-up of breached passwords", () => {
  it("refuses a registration with a breached password by the rule of common passwords", async () => {
    expect(await problemOf(await register(app, BREACHED))).toMatchObject(refusal);
    expect((await register(app, OTHER)).status).toBe(201);
  });

  it("sends five hex digits of the hash and nothing about the account", async () => {
    const person = newPerson({ username: "countess", email: "countess@example.org", lastname: "Noel" });
    await app.call("POST", accountPaths.register, { body: { ...person, password: BREACHED } });
    expect(ranges.requests).toHaveLength(1);
    const [request] = ranges.requests;
    const hash = sha1(BREACHED);
    expect(request).toMatchObject({ method: "GET", path: `/mirror/range/${hash.slice(0, 5)}`, body: "" });
    const { host, connection, ...headers } = request?.headers ?? {};
    expect(headers).toEqual({
      accept: "text/plain",
      "accept-encoding": "gzip, br",
      "add-padding": "true",
      "user-agent": "Parley",
    });
    expect(JSON.stringify(request)).not.toMatch(new RegExp(`countess|noel|kettle|${hash.slice(0, 6)}`, "i"));
  });

  it("accepts a password whose line in the answer is padding", async () => {
    ranges.add("violet harbour lantern", 0);
    expect((await register(app, "violet harbour lantern")).status).toBe(201);
    expect(ranges.requests).toHaveLength(1);
  });

  it("hashes the normalised form of a password, which is the one that signs in", async () => {
    expect(await problemOf(await register(app, "ｐｌｕｍ kettle orbit sand"))).toMatchObject(refusal);
  });

  it("refuses a breached password on a change and a reset, and uses up no key", async () => {
    const { user, token, password } = await signUpProved(app);
    const change = { currentPassword: password, password: BREACHED };
    const changed = await app.call("POST", accountPaths.password, { token, body: change });
    expect(await problemOf(changed)).toMatchObject(refusal);
    await app.call("POST", accountPaths.forgotPassword, { body: { email: user.email } });
    const key = await newestKeyFor(app, "reset-password", user.email);
    const reset = (chosen: string) => app.call("POST", accountPaths.resetPassword, { body: { key, password: chosen } });
    expect(await problemOf(await reset(BREACHED))).toMatchObject(refusal);
    expect((await reset(OTHER)).status).toBe(200);
  });

  it("refuses a breached password of an invited person, and uses up no invitation", async () => {
    const invited = await invite(app, await signUpAs(app, "administrator"));
    const accept = (password: string) => register(app, password, { invitation: invited.key });
    expect(await problemOf(await accept(BREACHED))).toMatchObject(refusal);
    expect((await accept(OTHER)).status).toBe(201);
  });

  it("refuses a breached password of a command too", async () => {
    await using harness = await createTestHarness();
    const { username, email, firstname, lastname } = newPerson();
    const names = ["--username", username, "--email", email, "--firstname", firstname, "--lastname", lastname];
    const made = await admin(harness, ["users", "create", ...names, "--init", "--password-stdin", "--json"], {
      input: `${BREACHED}\n`,
      env: { PASSWORD_BREACH_LOOKUP: ranges.url },
    });
    expect(made.code).not.toBe(0);
    expect(made.json.error).toMatch(/is on lists of common ones/);
  });

  it("sends nothing for a password that a local rule refuses", async () => {
    expect((await register(app, "password1")).status).toBe(400);
    expect((await register(app, "short")).status).toBe(400);
    expect((await register(app, "lovelace1815", { username: "lovelace1815" })).status).toBe(400);
    expect(ranges.requests).toEqual([]);
  });

  it("sends nothing on a sign-in or a confirmation of who acts", async () => {
    const { user, token } = await signUpProved(app);
    const signIn = { username: user.username, password: PASSWORD };
    expect((await app.call("POST", accountPaths.login, { body: signIn })).status).toBe(200);
    expect((await app.call("POST", accountPaths.login, { body: { ...signIn, password: BREACHED } })).status).toBe(401);
    await app.call("POST", accountPaths.proof, { token, body: { password: PASSWORD } });
    expect(ranges.requests).toEqual([]);
  });

  it("refuses a breached password under the plain policy too, because the operator has chosen the look-up", async () => {
    await using plain = await startTestApp({ env: { PASSWORD_BREACH_LOOKUP: ranges.url, PASSWORD_POLICY: "plain" } });
    expect(await problemOf(await register(plain, BREACHED))).toMatchObject(refusal);
    expect((await register(plain, "password")).status).toBe(201);
  });
});

it("sends no request about new passwords unless the operator has chosen it", async () => {
  const proxies = { HTTP_PROXY: ranges.url, HTTPS_PROXY: ranges.url };
  await using off = await startTestApp({ env: { ...proxies, PASSWORD_BREACH_LOOKUP: "" } });
  expect((await register(off, BREACHED)).status).toBe(201);
  expect(ranges.requests).toEqual([]);
  await using on = await startTestApp({
    env: { ...proxies, PASSWORD_BREACH_LOOKUP: "https://api.pwnedpasswords.test" },
  });
  expect((await register(on, BREACHED)).status).toBe(201);
  expect(ranges.requests.map(({ path }) => path)).toEqual(["api.pwnedpasswords.test:443"]);
});

describe("a service of breached passwords that fails", () => {
  it.each<RangeServerState>(["down", "silent", "stalled", "endless", "page"])(
    "blocks no registration if the service is %s",
    async (state) => {
      await using fresh = await startTestApp({ env: { PASSWORD_BREACH_LOOKUP: ranges.url } });
      ranges.state = state;
      expect((await register(fresh, BREACHED)).status).toBe(201);
      expect(ranges.requests).toHaveLength(1);
      expect(failureLines(fresh)).toHaveLength(1);
    },
  );

  it("logs the first failure of each outage, without the password or its hash", async () => {
    await using fresh = await startTestApp({ env: { PASSWORD_BREACH_LOOKUP: ranges.url } });
    for (const state of ["down", "down", "up", "down"] as const) {
      ranges.state = state;
      await register(fresh, BREACHED);
    }
    expect(failureLines(fresh)).toHaveLength(2);
    expect(failureLines(fresh).join("")).not.toMatch(new RegExp(`kettle|${sha1(BREACHED).slice(0, 5)}`, "i"));
  });

  it("blocks no registration if nothing answers at its address", async () => {
    const gone = await startRangeServer();
    const { url } = gone;
    await gone[Symbol.asyncDispose]();
    await using fresh = await startTestApp({ env: { PASSWORD_BREACH_LOOKUP: url } });
    expect((await register(fresh, BREACHED)).status).toBe(201);
  });
});
