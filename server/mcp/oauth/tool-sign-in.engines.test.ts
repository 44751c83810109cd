import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { MINUTE } from "#contract/limits.ts";
import { toolSignInAttemptSchema, toolSignInPaths } from "#contract/mcp/sign-ins.ts";
import { signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { type TestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import {
  beginSignIn,
  finishSignIn,
  NOTES,
  notesServerAt,
  signInToNotes,
  startSignInApp,
} from "../../../testing/mcp/sign-in-app.ts";
import { type SignInServer, startSignInServer } from "../../../testing/mcp/sign-in-server.ts";

const clock = new TestClock();
let app: TestApp;
let server: SignInServer;
let ada: TestAccount;
beforeAll(async () => {
  server = await startSignInServer();
  app = await startSignInApp(server, { clock, env: { RATE_LIMITS: "off" } });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await app.context.database.deleteFrom("mcp_clients").execute();
  ada = await signUp(app);
});
afterEach(() => {
  const { authorisation } = server;
  authorisation.requests.length = 0;
  authorisation.replacedMetadata = {};
  authorisation.iss = authorisation.issuer;
  authorisation.consents = true;
  authorisation.tokenRedirect = undefined;
  server.issuers = [authorisation.issuer];
  server.credentials.length = 0;
});

const codeOf = async (response: Response) => [response.status, (await problemOf(response)).code];
const attemptRows = () => app.context.database.selectFrom("mcp_attempts").selectAll().execute();
const tokenRows = () =>
  app.context.database.selectFrom("mcp_tokens").selectAll().where("user_id", "=", ada.user.id).execute();

describe("a sign-in to a tool server", () => {
  test("a person signs in by the code flow with PKCE and resource, and the tools of the server are listed", async () => {
    const address = new URL(await beginSignIn(app, ada.token));
    expect(address.origin).toBe(server.authorisation.issuer);
    const sent = Object.fromEntries(address.searchParams);
    expect(sent).toMatchObject({ code_challenge_method: "S256", resource: server.url, scope: "notes:read" });
    const response = await finishSignIn(app, ada.token, await server.authorisation.visit(address.href));
    expect(await response.json()).toEqual({ server: { id: NOTES, name: "Notes" }, tools: 2 });
    const [form] = server.authorisation.seen("/token");
    expect(form).toMatchObject({
      grant_type: "authorization_code",
      resource: server.url,
      redirect_uri: sent.redirect_uri,
    });
    expect(form?.code_verifier).toMatch(/^[\w.~-]{43,128}$/);
  });

  test("tokens and verifiers are stored encrypted, and nothing of them is logged", async () => {
    const address = await beginSignIn(app, ada.token);
    const [attempt] = await attemptRows();
    const answer = await server.authorisation.visit(address);
    await finishSignIn(app, ada.token, answer);
    const [row] = await tokenRows();
    expect(row).toMatchObject({ issuer: server.authorisation.issuer });
    const verifier = server.authorisation.seen("/token")[0]?.code_verifier ?? "";
    const secrets = [verifier, answer.code ?? "", answer.state, ...server.credentials.map((each) => each.slice(7))];
    const stored = JSON.stringify([attempt, row]) + app.logLines.join("");
    expect(secrets.filter((secret) => secret.length > 8 && stored.includes(secret))).toEqual([]);
  });

  test("an answer in another session or of another account is refused, and stays valid in its own", async () => {
    const answer = await server.authorisation.visit(await beginSignIn(app, ada.token));
    const other = await signUp(app);
    expect(await codeOf(await finishSignIn(app, other.token, answer))).toEqual([403, "tool-sign-in-elsewhere"]);
    const { username } = ada.user;
    const second = await app.call("POST", accountPaths.login, { body: { username, password: ada.password } });
    const { access_token: token } = signedInSchema.parse(await second.json());
    expect(await codeOf(await finishSignIn(app, token, answer))).toEqual([403, "tool-sign-in-elsewhere"]);
    expect((await finishSignIn(app, ada.token, answer)).status).toBe(200);
  });

  test("a state is valid once, for ten minutes", async () => {
    const answer = await server.authorisation.visit(await beginSignIn(app, ada.token));
    const answers = await Promise.all([1, 2, 3].map(() => finishSignIn(app, ada.token, answer)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const late = await server.authorisation.visit(await beginSignIn(app, ada.token));
    clock.advance(10 * MINUTE);
    expect(await codeOf(await finishSignIn(app, ada.token, late))).toEqual([400, "tool-sign-in-expired"]);
    expect(await codeOf(await finishSignIn(app, ada.token, { state: "x".repeat(43), code: "x" }))).toEqual([
      400,
      "tool-sign-in-expired",
    ]);
  });

  test("an eleventh attempt of an account ends its oldest, and a sweep removes those that have expired", async () => {
    const oldest = await server.authorisation.visit(await beginSignIn(app, ada.token));
    for (let times = 0; times < 10; times++) {
      clock.advance(1);
      await beginSignIn(app, ada.token);
    }
    expect(await codeOf(await finishSignIn(app, ada.token, oldest))).toEqual([400, "tool-sign-in-expired"]);
    const own = (await attemptRows()).filter(({ user_id }) => user_id === ada.user.id);
    expect(own).toHaveLength(10);
    clock.advance(11 * MINUTE);
    await app.context.sweep.run();
    expect(await attemptRows()).toEqual([]);
  });

  test("a refusal of the person, and another error, have codes of their own", async () => {
    server.authorisation.consents = false;
    expect(await codeOf(await signInToNotes(app, server, ada.token))).toEqual([400, "tool-sign-in-denied"]);
    const { state } = await server.authorisation.visit(await beginSignIn(app, ada.token));
    const failed = await finishSignIn(app, ada.token, { state, error: "server_error" });
    expect(await codeOf(failed)).toEqual([400, "tool-sign-in-failed"]);
  });
});

const finishAt = async (address: string) => finishSignIn(app, ada.token, await server.authorisation.visit(address));

describe("answers and metadata that are refused", () => {
  test.each([
    ["another issuer", "https://other.example.org"],
    ["no issuer", undefined],
  ])("an answer with %s is refused before its code is sent", async (_name, iss) => {
    server.authorisation.iss = iss;
    expect(await codeOf(await signInToNotes(app, server, ada.token))).toEqual([400, "tool-sign-in-failed"]);
    expect(server.authorisation.seen("/token")).toEqual([]);
  });

  test("a code goes to the issuer of its attempt, whatever the server names meanwhile", async () => {
    await using other = await startSignInServer();
    const answer = await server.authorisation.visit(await beginSignIn(app, ada.token));
    server.issuers = [other.authorisation.issuer];
    const mixed = await finishSignIn(app, ada.token, { ...answer, iss: other.authorisation.issuer });
    expect(await codeOf(mixed)).toEqual([400, "tool-sign-in-failed"]);
    expect([...server.authorisation.seen("/token"), ...other.authorisation.requests]).toEqual([]);
  });

  test("metadata that name another issuer are refused", async () => {
    server.authorisation.replacedMetadata = { issuer: "https://other.example.org" };
    const response = await app.call("POST", toolSignInPaths.attempt(NOTES), { token: ada.token });
    expect(await codeOf(response)).toEqual([409, "tool-sign-in-unsupported"]);
  });

  test("a redirect of the token endpoint is refused, and its target receives nothing", async () => {
    await using other = await startSignInServer();
    server.authorisation.tokenRedirect = `${other.authorisation.issuer}/token`;
    expect(await codeOf(await signInToNotes(app, server, ada.token))).toEqual([400, "tool-sign-in-failed"]);
    expect(other.authorisation.requests).toEqual([]);
    expect(await tokenRows()).toEqual([]);
  });

  test.each(["http://127.0.0.2:80", "https://10.0.0.1", "https://169.254.169.254", "https://[::1]"])(
    "an authorisation server at %s is never requested",
    async (inside) => {
      server.issuers = [inside];
      const response = await app.call("POST", toolSignInPaths.attempt(NOTES), { token: ada.token });
      expect(await codeOf(response)).toEqual([409, "tool-sign-in-unsupported"]);
    },
  );

  test.each(["token_endpoint", "registration_endpoint"])(
    "a %s at an inner address is never requested",
    async (name) => {
      server.authorisation.replacedMetadata = { [name]: "http://127.0.0.2:80/inside" };
      const begun = await app.call("POST", toolSignInPaths.attempt(NOTES), { token: ada.token });
      const last = begun.ok ? await finishAt(toolSignInAttemptSchema.parse(await begun.json()).address) : begun;
      expect((await problemOf(last)).code).toMatch(/^tool-sign-in-(failed|unsupported)$/);
    },
  );

  test.each([
    { code_challenge_methods_supported: undefined },
    { code_challenge_methods_supported: ["plain"] },
    { authorization_endpoint: "http://login.example.org/authorize" },
    { registration_endpoint: undefined },
  ])("a server whose metadata say %o offers no sign-in", async (metadata) => {
    server.authorisation.replacedMetadata = metadata;
    const response = await app.call("POST", toolSignInPaths.attempt(NOTES), { token: ada.token });
    expect(await codeOf(response)).toEqual([409, "tool-sign-in-unsupported"]);
  });

  test("a server that does not answer, and one that does not exist, have codes of their own", async () => {
    await using lonely = await startSignInApp(server, { mcpServers: [notesServerAt("http://127.0.0.1:9/mcp")] });
    const { token } = await signUp(lonely);
    expect(await codeOf(await lonely.call("POST", toolSignInPaths.attempt(NOTES), { token }))).toEqual([
      503,
      "tool-server-away",
    ]);
    expect(await codeOf(await lonely.call("POST", toolSignInPaths.attempt("none"), { token }))).toEqual([
      404,
      "not-found",
    ]);
  });
});
