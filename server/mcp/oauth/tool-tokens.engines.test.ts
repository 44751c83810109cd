import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { MINUTE } from "#contract/limits.ts";
import { toolSignInPaths } from "#contract/mcp/sign-ins.ts";
import { signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { createTestHarness, type TestApp, type TestHarness } from "../../../testing/app/start-test-app.ts";
import { waitFor } from "../../../testing/app/wait-for.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";
import { listNotes, newPersonAtNotes } from "../../../testing/mcp/person-at-notes.ts";
import {
  beginSignIn,
  finishSignIn,
  NOTES,
  notesServerAt,
  signInToNotes,
  startSignInApp,
} from "../../../testing/mcp/sign-in-app.ts";
import { type SignInServer, startSignInServer } from "../../../testing/mcp/sign-in-server.ts";

let harness: TestHarness;
let app: TestApp;
let server: SignInServer;
beforeAll(async () => {
  harness = await createTestHarness(undefined, { isMigrated: true });
  server = await startSignInServer();
  app = await startSignInApp(server, { harness, env: { RATE_LIMITS: "off" } });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await harness[Symbol.asyncDispose]();
});
afterEach(() => {
  const { authorisation } = server;
  authorisation.requests.length = 0;
  authorisation.replacedMetadata = {};
  authorisation.onRefresh = async () => undefined;
  server.issuers = [authorisation.issuer];
  server.credentials.length = 0;
});

const rowsOf = async ({ user }: { user: { id: string } }) => {
  const { database } = app.context;
  const tokens = await database.selectFrom("mcp_tokens").selectAll().where("user_id", "=", user.id).execute();
  const states = await database.selectFrom("mcp_server_states").selectAll().where("user_id", "=", user.id).execute();
  return { tokens, states };
};
const refreshes = () => server.authorisation.seen("/token").filter(({ grant_type: type }) => type === "refresh_token");

describe("the tokens of a person at a tool server", () => {
  test("an expired token is refreshed once, with the resource, and the rotated one is stored", async () => {
    const ada = await newPersonAtNotes(app, server);
    for (let times = 1; times <= 2; times++) {
      server.authorisation.expireTokens();
      expect(await listNotes(app, ada)).toMatchObject({ ok: true });
      expect(refreshes()).toHaveLength(times);
    }
    expect(refreshes()[0]).toMatchObject({ resource: server.url });
  });

  test("a refresh that the issuer refuses deletes the tokens, and the person is asked to sign in", async () => {
    const ada = await newPersonAtNotes(app, server);
    server.authorisation.revokeAll();
    expect(await listNotes(app, ada)).toMatchObject({ ok: false, code: "sign-in" });
    const { tokens, states } = await rowsOf(ada);
    expect([tokens, states.map((row) => row.needs_sign_in)]).toEqual([[], [1]]);
    expect((await signInToNotes(app, server, ada.token)).status).toBe(200);
    expect((await rowsOf(ada)).states.map((row) => row.needs_sign_in)).toEqual([0]);
  });

  test("an issuer that cannot refresh now ends no sign-in", async () => {
    const ada = await newPersonAtNotes(app, server);
    server.authorisation.expireTokens();
    server.authorisation.replacedMetadata = { token_endpoint: "http://127.0.0.1:9/token" };
    expect(await listNotes(app, ada)).toMatchObject({ ok: false, code: "unreachable" });
    server.authorisation.replacedMetadata = {};
    expect(await listNotes(app, ada)).toMatchObject({ ok: true });
  });

  test("two connections of one person refresh a rotating token once", async () => {
    const ada = await newPersonAtNotes(app, server);
    server.authorisation.expireTokens();
    const listings = await Promise.all([listNotes(app, ada), listNotes(app, ada), listNotes(app, ada)]);
    expect(listings.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(refreshes()).toHaveLength(1);
  });

  test.runIf(isOnPostgres)("two processes refresh a rotating token once", async () => {
    const ada = await newPersonAtNotes(app, server);
    await using beside = await createTestHarness(harness);
    await using other = await startSignInApp(server, { harness: beside, env: { SECRET_KEY: app.context.secretKey } });
    server.authorisation.expireTokens();
    const { promise: isListed, resolve } = Promise.withResolvers<void>();
    server.authorisation.onRefresh = () => isListed;
    const listings = Promise.all([listNotes(app, ada), listNotes(other, ada)]);
    await waitFor("both to be refused", () => server.credentials.filter((each) => each !== "").length >= 4);
    resolve();
    expect((await listings).map(({ ok }) => ok)).toEqual([true, true]);
    expect(refreshes()).toHaveLength(1);
  });

  test("a lease that a process left behind ends after a while", async () => {
    const ada = await newPersonAtNotes(app, server);
    server.authorisation.expireTokens();
    const { database } = app.context;
    const left = { refreshing_until: Date.now() - MINUTE };
    await database.updateTable("mcp_tokens").set(left).where("user_id", "=", ada.user.id).execute();
    expect(await listNotes(app, ada)).toMatchObject({ ok: true });
  });
});

describe("tokens are bound to their server and their issuer", () => {
  test("a server with another address receives no token of the old one", async () => {
    const ada = await newPersonAtNotes(app, server);
    await using moved = await startSignInServer();
    await using other = await startSignInApp(server, {
      harness,
      env: { SECRET_KEY: app.context.secretKey },
      mcpServers: [notesServerAt(moved.url)],
    });
    expect(await listNotes(other, ada)).toMatchObject({ ok: false, code: "sign-in" });
    expect(moved.credentials.filter((each) => each !== "")).toEqual([]);
    expect(moved.authorisation.requests).toEqual([]);
  });

  test("another server of the same person receives no token", async () => {
    const ada = await newPersonAtNotes(app, server);
    await using second = await startSignInServer();
    await using other = await startSignInApp(server, {
      harness,
      env: { SECRET_KEY: app.context.secretKey },
      mcpServers: [notesServerAt(server.url), { ...notesServerAt(second.url), key: "file:other", slug: "other" }],
    });
    expect(await listNotes(other, ada, "file:other")).toMatchObject({ ok: false, code: "sign-in" });
    expect(second.credentials.filter((each) => each !== "")).toEqual([]);
  });

  test("a server that names another issuer ends the sign-in, and the other issuer receives nothing", async () => {
    const ada = await newPersonAtNotes(app, server);
    await using other = await startSignInServer();
    server.authorisation.expireTokens();
    server.issuers = [other.authorisation.issuer];
    expect(await listNotes(app, ada)).toMatchObject({ ok: false, code: "sign-in" });
    expect(other.authorisation.requests).toEqual([]);
    expect((await rowsOf(ada)).tokens).toEqual([]);
  });

  test("tokens in the row of another person do not open", async () => {
    const [ada, eve] = [await newPersonAtNotes(app, server), await newPersonAtNotes(app, server)];
    const { tokens } = await rowsOf(ada);
    const stolen = { tokens_encrypted: tokens[0]?.tokens_encrypted ?? "" };
    const { database } = app.context;
    await database.updateTable("mcp_tokens").set(stolen).where("user_id", "=", eve.user.id).execute();
    server.credentials.length = 0;
    expect(await listNotes(app, eve)).toMatchObject({ ok: false, code: "sign-in" });
    expect(server.credentials.filter((each) => each !== "")).toEqual([]);
  });
});

describe("the secret key of the installation", () => {
  const [first, second, third] = ["a", "b", "c"].map((letter) => letter.repeat(10) + crypto.randomUUID());
  const keys = (own = "", previous?: string) => ({
    SECRET_KEY: own,
    ...(previous && { SECRET_KEY_PREVIOUS: previous }),
  });

  test("tokens and clients of the previous key are encrypted again, and those of a lost one ask for a sign-in", async () => {
    await using own = await createTestHarness(undefined, { isMigrated: true });
    const start = (env: Record<string, string>) => startSignInApp(server, { harness: own, env });
    const encrypted = async (started: TestApp) => {
      const { database } = started.context;
      const tokens = await database.selectFrom("mcp_tokens").select("tokens_encrypted as text").execute();
      const clients = await database.selectFrom("mcp_clients").select("client_encrypted as text").execute();
      return [...tokens, ...clients].map(({ text }) => text);
    };
    let before: string[] = [];
    let ada: TestAccount | undefined;
    {
      await using old = await start(keys(first));
      ada = await newPersonAtNotes(old, server);
      before = await encrypted(old);
      expect(before).toHaveLength(2);
    }
    {
      await using changed = await start(keys(second, first));
      expect((await encrypted(changed)).filter((text) => before.includes(text))).toEqual([]);
      expect(await listNotes(changed, ada)).toMatchObject({ ok: true });
    }
    await using lost = await start(keys(third));
    expect(await encrypted(lost)).toEqual([]);
    const states = lost.context.database.selectFrom("mcp_server_states").select("needs_sign_in");
    expect(await states.where("user_id", "=", ada.user.id).execute()).toEqual([{ needs_sign_in: 1 }]);
  });
});

describe("the end of a sign-in", () => {
  test("a sign-out revokes both tokens, deletes all that is stored, and closes the connections", async () => {
    const ada = await newPersonAtNotes(app, server);
    const sent = server.credentials.at(-1)?.slice("Bearer ".length) ?? "";
    expect(server.authorisation.scopeOf(sent)).toBe("notes:read");
    const response = await app.call("DELETE", toolSignInPaths.attempt(NOTES), { token: ada.token });
    expect(response.status).toBe(204);
    const hints = server.authorisation.seen("/revoke").map(({ token_type_hint: hint }) => hint);
    expect(hints).toEqual(["refresh_token", "access_token"]);
    expect(server.authorisation.scopeOf(sent)).toBeUndefined();
    expect(await rowsOf(ada)).toEqual({ tokens: [], states: [] });
    expect(await listNotes(app, ada)).toMatchObject({ ok: false, code: "sign-in" });
  });

  test("a sign-out does not need the issuer", async () => {
    const ada = await newPersonAtNotes(app, server);
    server.authorisation.replacedMetadata = { revocation_endpoint: "http://127.0.0.1:9/revoke" };
    const response = await app.call("DELETE", toolSignInPaths.attempt(NOTES), { token: ada.token });
    expect([response.status, (await rowsOf(ada)).tokens]).toEqual([204, []]);
  });

  test("the deletion of an account removes its tokens, attempts and states, and revokes its tokens", async () => {
    const ada = await newPersonAtNotes(app, server);
    const sent = server.credentials.at(-1)?.slice("Bearer ".length) ?? "";
    await beginSignIn(app, ada.token);
    const { database } = app.context;
    await app.call("POST", accountPaths.accountDeletion, { token: ada.token, body: { isImmediate: true } });
    const accounts = database.selectFrom("users").select("id").where("id", "=", ada.user.id);
    await waitFor("the account to be removed", async () => (await accounts.execute()).length === 0);
    const attempts = await database.selectFrom("mcp_attempts").selectAll().where("user_id", "=", ada.user.id).execute();
    expect({ ...(await rowsOf(ada)), attempts }).toEqual({ tokens: [], states: [], attempts: [] });
    const hints = server.authorisation.seen("/revoke").map(({ token_type_hint: hint }) => hint);
    expect([hints, server.authorisation.scopeOf(sent)]).toEqual([["refresh_token", "access_token"], undefined]);
  });
});

describe("the scope and the client of a sign-in", () => {
  test("a scope that a call lacked is asked for with the old one by the next sign-in, and nothing is sent before", async () => {
    const ada = await newPersonAtNotes(app, server);
    const { servers, authorisations } = app.context.mcp;
    const [notes] = servers.fixed;
    if (!notes) throw new Error("The app has no server");
    await authorisations.authorisationOf(notes, ada.user.id)?.needScope("notes:write");
    expect((await rowsOf(ada)).states.map((row) => row.needs_sign_in)).toEqual([1]);
    const address = await beginSignIn(app, ada.token);
    expect(new URL(address).searchParams.get("scope")?.split(" ").sort()).toEqual(["notes:read", "notes:write"]);
    await finishSignIn(app, ada.token, await server.authorisation.visit(address));
    expect((await rowsOf(ada)).states.map((row) => row.needs_sign_in)).toEqual([0]);
    expect(new URL(await beginSignIn(app, ada.token)).searchParams.get("scope")).toBe("notes:read");
  });

  test.each(["client_secret_basic", "client_secret_post", "none"])(
    "a client that registers by %s signs in, refreshes and revokes, and is registered once for all people",
    async (method) => {
      await app.context.database.deleteFrom("mcp_clients").execute();
      server.authorisation.replacedMetadata = { token_endpoint_auth_methods_supported: [method] };
      const people = [await newPersonAtNotes(app, server), await newPersonAtNotes(app, server)];
      expect(server.authorisation.seen("/register")).toHaveLength(1);
      server.authorisation.expireTokens();
      for (const person of people) expect(await listNotes(app, person)).toMatchObject({ ok: true });
      for (const { token } of people) await app.call("DELETE", toolSignInPaths.attempt(NOTES), { token });
      expect(server.authorisation.seen("/revoke")).toHaveLength(4);
      const [row] = await app.context.database.selectFrom("mcp_clients").selectAll().execute();
      expect(row?.client_encrypted).toMatch(/^[\w-]+$/);
    },
  );

  test("with https, the client id is the address of a metadata document, where the server reads one", async () => {
    const publicUrl = "https://chat.example.org";
    await using secure = await startSignInApp(server, { env: { PUBLIC_URL: publicUrl } });
    const { token } = await signUp(secure);
    const document = await (await secure.call("GET", toolSignInPaths.client)).json();
    const id = `${publicUrl}/api/mcp/client`;
    expect(document).toMatchObject({
      client_id: id,
      redirect_uris: [`${publicUrl}/mcp/return`],
      client_name: "Parley",
    });
    server.authorisation.replacedMetadata = { client_id_metadata_document_supported: true };
    expect((await signInToNotes(secure, server, token)).status).toBe(200);
    expect(server.authorisation.seen("/authorize")[0]?.client_id).toBe(id);
    expect(server.authorisation.seen("/register")).toEqual([]);
  });

  test("without https this installation registers, because nobody reads its metadata document", async () => {
    await app.context.database.deleteFrom("mcp_clients").execute();
    server.authorisation.replacedMetadata = { client_id_metadata_document_supported: true };
    await newPersonAtNotes(app, server);
    expect(server.authorisation.seen("/register")).toHaveLength(1);
  });
});
