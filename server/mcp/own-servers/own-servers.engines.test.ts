import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type * as z from "zod/mini";
import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { toolListSchema } from "#contract/conversation/tools.ts";
import {
  OWN_SERVERS_MAX,
  ownServerPaths,
  personalServerSchema,
  personalServersSchema,
} from "#contract/mcp/own-servers.ts";
import { signUpProved } from "../../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "../../../testing/app/start-test-app.ts";
import { waitFor } from "../../../testing/app/wait-for.ts";
import { startEverythingServer } from "../../../testing/mcp/everything-server.ts";
import { newId } from "../../database/new-id.ts";
import { insertServer, storeState } from "../mcp-server-store.ts";

let opened: AsyncDisposableStack;
beforeEach(() => {
  opened = new AsyncDisposableStack();
});
afterEach(() => opened.disposeAsync());

const on = { MCP_OWN_SERVERS: "on" };
/** At which nothing listens. */
const AWAY = "http://127.0.0.1:9/mcp";

async function start({ env = on, ...options }: TestAppOptions = {}) {
  const app = opened.use(await startTestApp({ env, ...options }));
  return { app, ...personOf(app, await signUpProved(app)) };
}

function personOf(app: TestApp, { token, user }: Awaited<ReturnType<typeof signUpProved>>) {
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await app.call(method, path, { token, body });
    return { status: response.status, body: response.status === 204 ? undefined : await response.json() };
  };
  const parsed = async <Schema extends z.ZodMiniType>(schema: Schema, ...given: Parameters<typeof call>) =>
    schema.parse((await call(...given)).body);
  return {
    user,
    call,
    add: (url: string, name = "Shop") => parsed(personalServerSchema, "POST", ownServerPaths.servers, { name, url }),
    list: () => parsed(personalServersSchema, "GET", ownServerPaths.servers),
    groups: async () =>
      (await parsed(toolListSchema, "GET", conversationPaths.tools)).groups.flatMap(({ slug, server }) =>
        server ? [`${slug} ${server.state}`] : [],
      ),
  };
}

const insertOwners = (app: TestApp, slug: string) => {
  const id = newId();
  const none = { headers_encrypted: null, groups: null, is_trusted: 0, is_enabled: 1, chosen_tools: null };
  const row = { id, user_id: null, slug, name: "Wiki", url: "https://wiki.example.org/mcp" };
  return insertServer(app.context.database, { ...row, ...none, created_at: 1, updated_at: 1 }).then(() => id);
};

const approve = async (app: TestApp, userId: string, server: string) => {
  const tool = { server, name: "buy", schema_digest: "0".repeat(64) };
  const row = { id: newId(), user_id: userId, chat_id: null, ...tool, created_at: 1 };
  await app.context.database.insertInto("tool_approvals").values(row).execute();
};
const approvedOf = async (app: TestApp) =>
  (await app.context.database.selectFrom("tool_approvals").select("server").execute()).map(({ server }) => server);

describe("own tool servers", () => {
  it("a server is added, asked for its tools, and offered to its person alone", async () => {
    const everything = opened.use(await startEverythingServer());
    const { app, add, list, groups } = await start({ isPublicAddress: () => true });
    const added = await add(everything.url, "Tea Shop ☕");
    expect(added).toMatchObject({ name: "Tea Shop ☕", state: "ready", isOwn: true, isOn: true, url: everything.url });
    expect(added.tools.map(({ name }) => name)).toContain("echo");
    expect(await list()).toEqual({ canAdd: true, servers: [added] });
    expect(await groups()).toEqual(["my-tea-shop ready"]);
    const other = personOf(app, await signUpProved(app));
    expect([await other.list(), await other.groups()]).toEqual([{ canAdd: true, servers: [] }, []]);
  });

  it("a server at an address that is not public stays listed, with the reason", async () => {
    const { add, groups } = await start();
    const added = await add(AWAY);
    expect(added).toMatchObject({ state: "away", failure: "unreachable", reason: "not-public", tools: [] });
    expect(await groups()).toEqual(["my-shop away"]);
  });

  it.each([
    "http://shop.example.org/mcp",
    "https://ada:secret@shop.example.org/mcp",
    "https://shop.example.org/mcp#part",
    "https://169.254.169.254/mcp",
    "file:///etc/passwd",
    "shop",
  ])("the address %s is refused", async (url) => {
    const { call, list } = await start();
    const { status, body } = await call("POST", ownServerPaths.servers, { name: "Shop", url });
    expect([status, body]).toMatchObject([400, { code: "invalid-input", issues: [{ field: "url" }] }]);
    expect((await list()).servers).toEqual([]);
  });

  it("servers of one name have slugs of their own, which no server of an owner has", async () => {
    const { app, add, groups } = await start();
    await insertOwners(app, "shop");
    for (const name of ["Shop", "Shop", "お店"]) await add(AWAY, name);
    expect((await groups()).toSorted()).toEqual(["my-server away", "my-shop away", "my-shop-2 away", "shop away"]);
  });

  it("a person can have a limited number of servers", async () => {
    const { app, call, user } = await start();
    const none = { headers_encrypted: null, groups: null, is_trusted: 0, is_enabled: 1, chosen_tools: null };
    for (let index = 0; index < OWN_SERVERS_MAX; index++) {
      const row = { id: newId(), user_id: user.id, slug: `my-${index}`, name: "Shop", url: AWAY };
      await insertServer(app.context.database, { ...row, ...none, created_at: 1, updated_at: 1 });
    }
    const { status, body } = await call("POST", ownServerPaths.servers, { name: "Shop", url: AWAY });
    expect([status, body]).toMatchObject([409, { code: "too-many-tool-servers" }]);
  });

  it("another address is another server: its tools and approvals are removed, those of a renamed one stay", async () => {
    const everything = opened.use(await startEverythingServer());
    const { app, add, call, user } = await start({ isPublicAddress: () => true });
    const { id } = await add(everything.url);
    await approve(app, user.id, "my-shop");
    await approve(app, user.id, "web");
    const renamed = await call("PATCH", ownServerPaths.server(id), { name: "Tea" });
    expect(renamed.body).toMatchObject({ name: "Tea", state: "ready" });
    expect(await approvedOf(app)).toHaveLength(2);
    const moved = await call("PATCH", ownServerPaths.server(id), { url: AWAY });
    expect(moved.body).toMatchObject({ state: "away", tools: [] });
    expect(await approvedOf(app)).toEqual(["web"]);
  });

  it("a removed server is gone with its approvals", async () => {
    const { app, add, call, list, user } = await start();
    const { id } = await add(AWAY);
    await approve(app, user.id, "my-shop");
    expect((await call("DELETE", ownServerPaths.server(id))).status).toBe(204);
    expect([(await list()).servers, await approvedOf(app)]).toEqual([[], []]);
    expect((await call("POST", ownServerPaths.refresh(id))).status).toBe(404);
  });

  it("the deletion of an account removes its servers with what was found about them, and its approvals", async () => {
    const { app, add, call, user } = await start();
    const { id } = await add(AWAY);
    await approve(app, user.id, "my-shop");
    const { database } = app.context;
    await call("POST", accountPaths.accountDeletion, { isImmediate: true });
    const accounts = database.selectFrom("users").select("id").where("id", "=", user.id);
    await waitFor("the account to be removed", async () => (await accounts.execute()).length === 0);
    const servers = await database.selectFrom("mcp_servers").select("id").where("id", "=", id).execute();
    const states = await database.selectFrom("mcp_server_states").select("server").where("server", "=", id).execute();
    expect([servers, states, await approvedOf(app)]).toEqual([[], [], []]);
  });

  it("a server of another account does not exist", async () => {
    const { app, add } = await start();
    const { id } = await add(AWAY);
    const other = personOf(app, await signUpProved(app));
    const calls: [string, string, object?][] = [
      ["PATCH", ownServerPaths.server(id), { name: "Mine" }],
      ["DELETE", ownServerPaths.server(id)],
      ["POST", ownServerPaths.refresh(id)],
    ];
    for (const given of calls) expect((await other.call(...given)).status).toBe(404);
  });

  it("while the installation allows none, present servers stay listed as switched off and are not offered", async () => {
    const { app, call, list, groups, user } = await start({ env: {} });
    const none = { headers_encrypted: null, groups: null, is_trusted: 0, is_enabled: 1, chosen_tools: null };
    const row = { id: newId(), user_id: user.id, slug: "my-shop", name: "Shop", url: AWAY };
    await insertServer(app.context.database, { ...row, ...none, created_at: 1, updated_at: 1 });
    const { canAdd, servers } = await list();
    expect([canAdd, servers.map(({ isOn }) => isOn), await groups()]).toEqual([false, [false], []]);
    const add = await call("POST", ownServerPaths.servers, { name: "Shop", url: "https://shop.example.org" });
    const refresh = await call("POST", ownServerPaths.refresh(row.id));
    const move = await call("PATCH", ownServerPaths.server(row.id), { url: "https://shop.example.org" });
    expect([add.status, refresh.status, move.status]).toEqual([403, 403, 403]);
    expect((await call("DELETE", ownServerPaths.server(row.id))).status).toBe(204);
  });

  it("servers of owners are listed if they need a sign-in", async () => {
    const { app, list } = await start();
    await insertOwners(app, "open");
    const id = await insertOwners(app, "closed");
    await storeState(app.context.database, { server: id, userId: "" }, { needs_sign_in: 1 });
    expect((await list()).servers).toMatchObject([{ id, isOwn: false, state: "connect", isOn: true }]);
  });
});
