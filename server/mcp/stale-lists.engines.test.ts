import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { type ToolServer, toolListSchema } from "#contract/conversation/tools.ts";
import { MINUTE } from "#contract/limits.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { waitFor } from "../../testing/app/wait-for.ts";
import { McpShop } from "../../testing/tools/mcp-shop.ts";
import { ShopServer } from "../../testing/tools/shop-server.ts";

/** Returns the server of the operator's file, as the menu of tools has it. */
async function listed(app: TestApp, token: string): Promise<ToolServer | undefined> {
  const response = await app.call("GET", conversationPaths.tools, { token });
  const { groups } = toolListSchema.parse(await response.json());
  return groups.find(({ slug }) => slug === "shop")?.server;
}

it("a server of the operator's file is listed with its tools at once, as away while it is, and again later", async () => {
  let now = Date.parse("2026-11-30T12:00:00Z");
  await using opened = new AsyncDisposableStack();
  const shop = opened.use(await ShopServer.start());
  const mcp = opened.use(await McpShop.start(shop.url, "2026-07-28"));
  const harness = opened.use(await createTestHarness());
  const file = join(harness.dataDir, "mcp.json");
  await writeFile(file, JSON.stringify({ servers: [{ name: "The shop", slug: "shop", url: mcp.url }] }));
  const app = opened.use(await startTestApp({ harness, env: { MCP_FILE: file }, clock: { now: () => now } }));
  const { token } = await signUp(app);
  const ready = await listed(app, token);
  expect(ready).toMatchObject({ name: "The shop", host: new URL(mcp.url).host, isOwn: false, state: "ready" });
  expect(ready?.tools.map(({ name, effect }) => [name, effect])).toContainEqual(["look_up", "read"]);
  mcp.isUnreachable = true;
  now += 11 * MINUTE;
  await waitFor("a server that is away", async () => (await listed(app, token))?.state === "away");
  expect((await listed(app, token))?.tools).toEqual(ready?.tools);
  mcp.isUnreachable = false;
  now += 2 * MINUTE;
  await waitFor("a server that is back", async () => (await listed(app, token))?.state === "ready");
});
