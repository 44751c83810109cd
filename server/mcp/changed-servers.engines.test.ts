import { afterEach, beforeEach, expect, it } from "vitest";
import { DAY } from "#contract/limits.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import type { TestAccount } from "../../testing/accounts/sign-up.ts";
import { OwnerOfServers } from "../../testing/administration/mcp-servers.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { ListingServer } from "../../testing/mcp/listing-server.ts";
import { toolContext } from "../../testing/mcp/mcp-calls.ts";
import { countMcpCall, storeState } from "./mcp-server-store.ts";

let opened: AsyncDisposableStack;
let remote: ListingServer;
let app: TestApp;
let owner: TestAccount;
let servers: OwnerOfServers;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  remote = opened.use(await ListingServer.start());
  app = opened.use(await startTestApp({ env: { RATE_LIMITS: "off" } }));
  owner = await signUpAs(app, "owner");
  servers = new OwnerOfServers(app, owner);
  await servers.add({ name: "Wiki", url: remote.url });
});
afterEach(() => opened.disposeAsync());

it.each([
  ["has another address", () => servers.change("wiki", { url: `${remote.url}?moved` })],
  ["is switched off", () => servers.change("wiki", { isEnabled: false })],
  ["offers the tool no more", () => servers.change("wiki", { chosenTools: [] })],
  ["is removed", () => servers.remove("wiki")],
])("J2 N1 a reply that began before a server %s does not call it", async (_, change) => {
  const { database, toolbox } = app.context;
  const { tools } = await toolbox.toolsOf({ db: database, userId: owner.user.id }, ["wiki"]);
  await change();
  const requests = remote.sent("host").length;
  const context = toolContext({ userId: owner.user.id });
  await expect(tools[0]?.tool.run({}, context)).rejects.toThrow("was changed or removed");
  expect(remote.sent("host")).toHaveLength(requests);
});

it("a sweep removes old counts of calls, and what calls have stored after the removal of their server", async () => {
  const { database, clock, sweep } = app.context;
  const { id } = await database.selectFrom("mcp_servers").select("id").executeTakeFirstOrThrow();
  const today = Math.floor(clock.now() / DAY);
  for (const [server, day] of [
    [id, today],
    [id, today - 31],
    ["gone", today - 2],
    ["going", today],
    ["file:wiki", today - 2],
  ] as const) {
    await countMcpCall(database, { server, day, isFailure: false });
  }
  for (const [server, userId] of [
    ["gone", ""],
    [id, "gone"],
    [id, owner.user.id],
    ["file:wiki", ""],
  ] as const) {
    await storeState(database, { server, userId }, { listed_at: 1 });
  }
  await storeState(database, { server: "going", userId: "" }, { failed_at: clock.now() });
  await sweep.run();
  const counts = await database.selectFrom("mcp_call_counts").select(["server", "day"]).execute();
  expect(counts.map(({ server, day }) => `${server} ${today - day}`).toSorted()).toEqual(
    [`${id} 0`, "going 0", "file:wiki 2"].toSorted(),
  );
  const states = await database.selectFrom("mcp_server_states").select(["server", "user_id"]).execute();
  expect(states.map((row) => `${row.server} ${row.user_id}`).toSorted()).toEqual(
    [`${id} `, `${id} ${owner.user.id}`, "file:wiki ", "going "].toSorted(),
  );
});
