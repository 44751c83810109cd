import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { accountRoles } from "#contract/accounts/roles.ts";
import type { NewMcpServer } from "#contract/administration/mcp-servers.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { DAY } from "#contract/limits.ts";
import { insertTestGroup, moveToGroup } from "../../../testing/accounts/groups.ts";
import { signUpAs } from "../../../testing/accounts/roles.ts";
import { signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { OwnerOfServers, offeredServers } from "../../../testing/administration/mcp-servers.ts";
import {
  createTestHarness,
  startTestApp,
  type TestApp,
  type TestHarness,
} from "../../../testing/app/start-test-app.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { LISTING_REVISION, ListingServer } from "../../../testing/mcp/listing-server.ts";
import { notesServerAt } from "../../../testing/mcp/sign-in-app.ts";
import { unusedAddress } from "../../../testing/provider/model-calls.ts";
import { newId } from "../../database/new-id.ts";
import { countMcpCall } from "../mcp-server-store.ts";

const LIST = administrationPaths.mcpServers;
const pathOf = administrationPaths.mcpServer;
const KEY = "key-canary-0123456789";

let opened: AsyncDisposableStack;
let harness: TestHarness;
let remote: ListingServer;
let app: TestApp;
let owner: TestAccount;
let servers: OwnerOfServers;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  harness = opened.use(await createTestHarness(undefined, { isMigrated: true }));
  remote = opened.use(await ListingServer.start());
  app = opened.use(await start());
  owner = await signUpAs(app, "owner");
  servers = new OwnerOfServers(app, owner);
});
afterEach(() => opened[Symbol.asyncDispose]());

const start = (more: Parameters<typeof startTestApp>[0] = {}) =>
  startTestApp({ harness, ...more, env: { RATE_LIMITS: "off", ...more.env } });
const call = (method: string, path: string, body?: object, { token } = owner) =>
  app.call(method, path, { token, ...(body && { body }) });
const wiki = (more: Partial<NewMcpServer> = {}): NewMcpServer => ({ name: "The Wiki", url: remote.url, ...more });
const keyed = () => wiki({ headers: [{ name: "X-Key", value: KEY }] });

/** Returns status, code, and the refused fields with their rules. */
async function refusalOf(response: Response) {
  const { code, issues = [] } = await problemOf(response);
  return [response.status, code, issues.map(({ field, rule }) => `${field} ${rule}`)];
}

const offeredTo = (account: { token: string }) => offeredServers(app, account);

async function auditOf() {
  const rows = await app.context.database.selectFrom("audit_events").selectAll().orderBy("seq").execute();
  return rows.filter(({ kind }) => kind.startsWith("mcp-server-"));
}

describe("a new MCP server", () => {
  it("an owner adds a server, whose tools people have in the same moment", async () => {
    remote.tools = [
      { name: "find", title: "Find pages", description: "Searches.", annotations: { readOnlyHint: true } },
      { name: "note", annotations: { destructiveHint: false } },
      { name: "wipe" },
    ];
    const tools = [
      { name: "find", title: "Find pages", description: "Searches.", effect: "read" },
      { name: "note", description: "", effect: "add" },
      { name: "wipe", description: "", effect: "change" },
    ];
    const { host } = new URL(remote.url);
    const { server, check } = await servers.add(wiki({ isTrusted: true, chosenTools: ["find", "wipe"] }));
    expect(check).toEqual({ ok: true, host, revision: LISTING_REVISION, tools, unlistedTools: 0, leftOut: [] });
    expect(server).toMatchObject({ slug: "the-wiki", name: "The Wiki", url: remote.url, isFixed: false, groups: null });
    expect(server).toMatchObject({ isTrusted: true, isEnabled: true, state: "ready", tools, headers: [] });
    expect((await servers.list()).servers).toEqual([server]);
    expect(await offeredTo(await signUp(app))).toEqual(["the-wiki ready 2"]);
  });

  it("a server that does not answer is saved, and says why", async () => {
    const { origin, host } = new URL(await unusedAddress());
    const { server, check } = await servers.add(wiki({ url: `${origin}/mcp` }));
    expect(check).toEqual({ ok: false, host, code: "unreachable", reason: "refused" });
    expect(server).toMatchObject({ state: "away", failure: { code: "unreachable" }, tools: [] });
    expect(await offeredTo(owner)).toEqual(["the-wiki away 0"]);
  });

  it("a server that is added switched off is not asked, and people do not have it", async () => {
    const { server, check } = await servers.add(wiki({ isEnabled: false }));
    expect([server.state, check, remote.sent("host")]).toEqual(["unknown", null, []]);
    expect(await offeredTo(owner)).toEqual([]);
  });

  it("slugs are made of names, begin with a letter, and are none of Parley or of a person's server", async () => {
    const names = ["Wiki", "wiki", "Web", "2024 plans", "My notes", "мир", "Files"];
    for (const name of names) await servers.add(wiki({ name, isEnabled: false }));
    const slugs = (await servers.list()).servers.map(({ name, slug }) => `${name}: ${slug}`);
    expect(new Set(slugs)).toEqual(
      new Set([
        ...["Wiki: wiki", "wiki: wiki-2", "Web: web-2", "2024 plans: mcp-2024-plans"],
        ...["My notes: mcp-my-notes", "мир: mcp", "Files: files-2"],
      ]),
    );
  });

  it("a server of the operator's file replaces one of its slug, and a new one of its name has another slug", async () => {
    await servers.add(wiki());
    const fixed = { ...notesServerAt(remote.url), slug: "the-wiki" };
    await using restarted = await start({ mcpServers: [fixed] });
    const own = new OwnerOfServers(restarted, owner);
    expect((await own.add(wiki())).server.slug).toBe("the-wiki-2");
    const listed = (await own.list()).servers.map(({ slug, isFixed, isOverridden }) => [slug, isFixed, isOverridden]);
    expect(listed).toEqual([
      ["the-wiki", true, false],
      ["the-wiki", false, true],
      ["the-wiki-2", false, false],
    ]);
    const slugs = (await offeredServers(restarted, owner)).map((line) => line.split(" ")[0]);
    expect(slugs).toEqual(["the-wiki", "the-wiki-2"]);
  });

  it.each([
    ["ftp://a.test/mcp", "url invalid"],
    ["http://ada:secret@a.test/mcp", "url invalid"],
    ["http://a.test/mcp#part", "url invalid"],
    ["http://169.254.169.254/mcp", "url invalid"],
    ["a.test", "url invalid"],
    [" ", "url required"],
  ])("the address %s is refused, before and when it is saved", async (url, issue) => {
    const refusal = [400, "invalid-input", [issue]];
    expect(await refusalOf(await call("POST", LIST, { name: "Wiki", url }))).toEqual(refusal);
    expect(await refusalOf(await call("POST", administrationPaths.mcpServerCheck, { url }))).toEqual(refusal);
  });

  it.each([
    ["Host", "headers reserved"],
    ["Content-Type", "headers reserved"],
    ["Mcp-Session-Id", "headers reserved"],
    ["Transfer-Encoding", "headers reserved"],
    ["Proxy-Authorization", "headers reserved"],
  ])("the header %s is refused", async (name, issue) => {
    const body = wiki({ headers: [{ name, value: "a" }] });
    expect(await refusalOf(await call("POST", LIST, body))).toEqual([400, "invalid-input", [issue]]);
  });

  it("a header twice, a name with blanks, a value of several lines and an unknown group are refused", async () => {
    const twice = [
      { name: "X-Key", value: "a" },
      { name: "x-key", value: "b" },
    ];
    expect((await refusalOf(await call("POST", LIST, wiki({ headers: twice }))))[2]).toEqual(["headers repeated"]);
    for (const header of [
      { name: "X Key", value: "a" },
      { name: "X-Key", value: "a\r\nHost: b" },
    ]) {
      expect((await call("POST", LIST, wiki({ headers: [header] }))).status).toBe(400);
    }
    expect((await refusalOf(await call("POST", LIST, wiki({ groups: [newId()] }))))[2]).toEqual(["groups invalid"]);
  });
});

describe("headers of MCP servers", () => {
  it("no answer, log, record or row has the value of a header, which each request has", async () => {
    remote.key = KEY;
    const added = await servers.add(keyed());
    expect(added.check).toMatchObject({ ok: true });
    expect(added.server.headers).toEqual([{ name: "X-Key", end: "6789" }]);
    await servers.change("the-wiki", { name: "Our Wiki" });
    await servers.check({ slug: "the-wiki" });
    const answers = [added, await servers.list(), await servers.refresh("the-wiki")];
    const rows = await app.context.database.selectFrom("mcp_servers").selectAll().execute();
    expect(JSON.stringify([answers, rows, await auditOf()])).not.toContain(KEY);
    expect(app.logLines.join("")).not.toContain(KEY);
    expect(new Set(remote.sent("x-key"))).toEqual(new Set([KEY]));
  });

  it("another origin needs the headers again, and gets none that were entered for the former", async () => {
    await servers.add(keyed());
    await using other = await ListingServer.start();
    const refusal = [400, "invalid-input", ["headers required"]];
    expect(await refusalOf(await call("PATCH", pathOf("the-wiki"), { url: other.url }))).toEqual(refusal);
    const check = { slug: "the-wiki", url: other.url };
    expect(await refusalOf(await call("POST", administrationPaths.mcpServerCheck, check))).toEqual(refusal);
    expect(other.sent("x-key")).toEqual([]);
    const moved = await servers.change("the-wiki", { url: other.url, headers: [] });
    expect([moved.server.headers, moved.check?.ok]).toEqual([[], true]);
    expect(new Set(other.sent("x-key"))).toEqual(new Set([undefined]));
  });

  it("a test of another path at the same origin sends the stored headers", async () => {
    remote.key = KEY;
    await servers.add(keyed());
    expect(await servers.check({ slug: "the-wiki", url: `${remote.url}?a=1` })).toMatchObject({ ok: true });
  });

  it("a server that refuses its headers says so", async () => {
    remote.key = "another key";
    expect((await servers.add(keyed())).check).toMatchObject({ ok: false, code: "refused", status: 403 });
  });
});

describe("changes of MCP servers", () => {
  it("another address removes what was found before, and the sign-ins of people", async () => {
    await servers.add(wiki());
    await using other = await ListingServer.start();
    other.tools = [{ name: "other" }];
    const { id } = await app.context.database.selectFrom("mcp_servers").select("id").executeTakeFirstOrThrow();
    const row = { server: id, user_id: owner.user.id, issuer: "https://a.test", tokens_encrypted: "x" };
    const times = { refreshing_until: null, created_at: 1, updated_at: 1 };
    await app.context.database
      .insertInto("mcp_tokens")
      .values({ id: newId(), ...row, ...times })
      .execute();
    const changed = await servers.change("the-wiki", { url: other.url });
    expect(changed.server.tools.map(({ name }) => name)).toEqual(["other"]);
    expect(await app.context.database.selectFrom("mcp_tokens").selectAll().execute()).toEqual([]);
  });

  it("a change of its name asks the server nothing, and its slug stays", async () => {
    await servers.add(wiki());
    const asked = remote.sent("host").length;
    const { server, check } = await servers.change("the-wiki", { name: "Our Wiki", chosenTools: [] });
    expect([server.slug, server.name, server.chosenTools, check]).toEqual(["the-wiki", "Our Wiki", [], null]);
    expect(remote.sent("host")).toHaveLength(asked);
    expect(await offeredTo(owner)).toEqual(["the-wiki empty 0"]);
  });

  it("only members of its groups have a server, and nobody has one whose group was deleted", async () => {
    const group = await insertTestGroup(app, { name: "Teachers" });
    const [member, other] = [await signUp(app), await signUp(app)];
    await moveToGroup(app, group, member);
    const { server } = await servers.add(wiki({ groups: [group] }));
    expect(server.groups).toEqual([{ id: group, name: "Teachers" }]);
    expect([await offeredTo(member), await offeredTo(other)]).toEqual([["the-wiki ready 1"], []]);
    expect((await call("DELETE", administrationPaths.group(group))).status).toBe(200);
    expect((await servers.list()).servers[0]?.groups).toEqual([{ id: group }]);
    expect([await offeredTo(member), await offeredTo(other)]).toEqual([[], []]);
  });

  it("a removed server leaves no state, approval or count, and a later one of its name starts without them", async () => {
    await servers.add(wiki());
    const { id } = await app.context.database.selectFrom("mcp_servers").select("id").executeTakeFirstOrThrow();
    await countMcpCall(app.context.database, { server: id, day: 1, isFailure: false });
    const approval = { id: newId(), user_id: owner.user.id, chat_id: null, server: "the-wiki", name: "find" };
    await app.context.database
      .insertInto("tool_approvals")
      .values({ ...approval, schema_digest: "0", created_at: 1 })
      .execute();
    await servers.remove("the-wiki");
    for (const table of ["mcp_servers", "mcp_server_states", "mcp_call_counts", "tool_approvals"] as const) {
      expect(await app.context.database.selectFrom(table).selectAll().execute()).toEqual([]);
    }
    expect((await call("DELETE", pathOf("the-wiki"))).status).toBe(404);
    expect(await offeredTo(owner)).toEqual([]);
  });

  it("each change is recorded with the origin and the names of headers only", async () => {
    await servers.add({ ...keyed(), url: `${remote.url}?token=${KEY}` });
    await servers.change("the-wiki", { headers: [{ name: "X-Key", value: `${KEY}-new` }] });
    await servers.check({ url: `${remote.url}?token=${KEY}` });
    await servers.remove("the-wiki");
    const records = await auditOf();
    expect(records.map(({ kind, actor }) => `${kind} ${actor === owner.user.id}`)).toEqual(
      ["added", "changed", "tested", "removed"].map((act) => `mcp-server-${act} true`),
    );
    const { origin } = new URL(remote.url);
    expect(JSON.parse(records[0]?.after ?? "")).toMatchObject({ server: "the-wiki", origin, headers: ["X-Key"] });
    expect(JSON.parse(records[1]?.after ?? "")).toMatchObject({ hasNewHeaders: true });
    expect(JSON.parse(records[2]?.after ?? "")).toMatchObject({ origin, ok: true });
  });
});

describe("the list of MCP servers", () => {
  it("the list has the calls of thirty days, and people's own servers by host without their paths", async () => {
    await servers.add(wiki());
    const { database, clock } = app.context;
    const today = Math.floor(clock.now() / DAY);
    const people = [await signUp(app), await signUp(app)];
    const own = await Promise.all(people.map(({ user }) => insertOwnServer(user.id)));
    const { id } = await database
      .selectFrom("mcp_servers")
      .select("id")
      .where("user_id", "is", null)
      .executeTakeFirstOrThrow();
    for (const [server, day, isFailure] of [
      [id, today, false],
      [id, today - 29, true],
      [id, today - 30, false],
      [own[0] ?? "", today, false],
    ] as const) {
      await countMcpCall(database, { server, day, isFailure });
    }
    const list = await servers.list();
    expect(list.servers).toMatchObject([{ calls: 2, failures: 1 }]);
    expect(list.ownHosts).toEqual([{ host: "private.test", people: 2, calls: 1 }]);
    expect(JSON.stringify(list)).not.toContain("secret-path");
  });

  it("administrators do not see the query of an address, in which there may be a key", async () => {
    await servers.add(wiki({ url: `${remote.url}?token=${KEY}` }));
    const administrator = new OwnerOfServers(app, await signUpAs(app, "administrator"));
    expect((await administrator.list()).servers).toMatchObject([{ url: remote.url }]);
    expect((await servers.list()).servers).toMatchObject([{ url: `${remote.url}?token=${KEY}` }]);
  });

  async function insertOwnServer(userId: string): Promise<string> {
    const id = newId();
    const facts = { name: "Own", url: "https://private.test/secret-path", headers_encrypted: null, groups: null };
    const flags = { is_trusted: 0, is_enabled: 1, chosen_tools: null, created_at: 1, updated_at: 1 };
    await app.context.database
      .insertInto("mcp_servers")
      .values({ id, user_id: userId, slug: "my-own", ...facts, ...flags })
      .execute();
    return id;
  }
});

describe("permission to manage MCP servers", () => {
  it.each(accountRoles)("administrators read MCP servers and owners change them: a %s", async (role) => {
    const by = await signUpAs(app, role);
    const statuses = [
      (await call("GET", LIST, undefined, by)).status,
      (await call("POST", LIST, wiki(), by)).status,
      (await call("PATCH", pathOf("the-wiki"), { name: "Other" }, by)).status,
      (await call("POST", administrationPaths.mcpServerTools("the-wiki"), undefined, by)).status,
      (await call("POST", administrationPaths.mcpServerCheck, { url: remote.url }, by)).status,
      (await call("DELETE", pathOf("the-wiki"), undefined, by)).status,
    ];
    if (role === "owner") expect(statuses).toEqual([200, 201, 200, 200, 200, 204]);
    else expect(statuses).toEqual([role === "administrator" ? 200 : 403, 403, 403, 403, 403, 403]);
  });

  it("changes and tests of MCP servers need a recent proof", async () => {
    const { user, token } = await signUp(app);
    await app.context.database.updateTable("users").set({ role: "owner" }).where("id", "=", user.id).execute();
    for (const path of [LIST, administrationPaths.mcpServerCheck]) {
      expect((await problemOf(await app.call("POST", path, { token, body: wiki() }))).code).toBe("proof-needed");
    }
  });
});
