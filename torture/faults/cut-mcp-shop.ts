import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { McpEra } from "../../testing/mcp/protocol-answers.ts";
import { type FaultProxy, startFaultProxy } from "../../testing/servers/fault-proxy.ts";
import { McpShop } from "../../testing/tools/mcp-shop.ts";
import type { ShopServer } from "../../testing/tools/shop-server.ts";
import { endServer } from "../arrangements/arrangement.ts";
import type { Harness } from "../harness.ts";
import type { Outage } from "../ledger/tool-records.ts";

const CALLER = "x-caller";
const HTTP_PORT = 80;
/** Longest times between two cuts, and of one. A call has a longer limit. */
const [PAUSE_MS, REFUSED_MS, HELD_MS] = [4000, 1500, 6000];

/** An MCP server with the tools of a shop, behind a proxy that cuts the connections of Parley to it. */
export class CutMcpShop implements AsyncDisposable {
  readonly #harness: Harness;
  readonly #proxy: FaultProxy;
  readonly #opened: AsyncDisposable;

  private constructor(harness: Harness, proxy: FaultProxy, opened: AsyncDisposable) {
    this.#harness = harness;
    this.#proxy = proxy;
    this.#opened = opened;
  }

  /** Starts the server, and the servers of Parley again with it in the operator's file. */
  static async start(
    harness: Harness,
    { shop, era }: { shop: Pick<ShopServer, "url">; era: McpEra },
  ): Promise<CutMcpShop> {
    await using opened = new AsyncDisposableStack();
    const mcpShop = opened.use(await McpShop.start(shop.url, era));
    mcpShop.callerHeader = CALLER;
    const { proxy, url } = await startFaultProxy(mcpShop.url, HTTP_PORT);
    opened.use(proxy);
    for (const server of harness.arrangement.servers) {
      const file = join(harness.arrangement.folder, `mcp-${server.name}.json`);
      const entry = { name: "Shop", slug: "shop", url, trusted: true, headers: { [CALLER]: server.name } };
      await writeFile(file, JSON.stringify({ servers: [entry] }));
      server.setProgram(undefined, { MCP_FILE: file, MONTHLY_BUDGET_USD: "1000000" });
      await endServer(server, "SIGTERM");
      await server.start();
    }
    // Lists the tools for the first time.
    await harness.client.json({ method: "GET", path: conversationPaths.tools });
    return new CutMcpShop(harness, proxy, opened.move());
  }

  /** Resets, refuses and holds connections as often as processes are killed. @param outages to which the times are added */
  async cutSome(outages: Outage[]): Promise<void> {
    const { random, extent, report } = this.#harness;
    const times = random.fork("cuts");
    for (let left = extent.toolKills; left > 0; left--) {
      await delay(times.between(0, PAUSE_MS));
      const mode = times.pick(["reset", "refuse", "swallow"] as const);
      const end = this.#begin(outages);
      await this.#proxy.set(mode);
      if (mode !== "reset") await delay(times.between(0, mode === "refuse" ? REFUSED_MS : HELD_MS));
      await this.#proxy.set("pass");
      end();
      report.count(`connections to the MCP server: ${mode}`);
    }
  }

  /** Adds an outage of every server, which lasts until the returned function is called. */
  #begin(outages: Outage[]): () => void {
    const from = performance.now();
    const added = this.#harness.arrangement.servers.map(({ name }) => ({
      server: name,
      from,
      to: Number.POSITIVE_INFINITY,
    }));
    outages.push(...added);
    return () => {
      for (const outage of added) outage.to = performance.now();
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened[Symbol.asyncDispose]();
  }
}
