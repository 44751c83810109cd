import { startWebServer } from "../../testing/browsing/web-server.ts";
import { startScriptedMcpServer } from "../../testing/mcp/scripted-mcp-server.ts";
import type { Suite } from "../security-suite.ts";
import { tryAddresses } from "./tool-addresses.ts";
import { tryApprovals } from "./tool-approvals.ts";
import { tryBounds } from "./tool-bounds.ts";
import { tryHeaders } from "./tool-headers.ts";
import { ToolSite } from "./tool-site.ts";

/** N1–N5: malicious tool servers that an owner has added to a server process. Further ones are tested in `server/mcp/`. */
export const toolServers: Suite = {
  name: "tool-servers",
  async run(harness) {
    const databases = harness.hasPostgres ? (["sqlite", "postgres"] as const) : (["sqlite"] as const);
    for (const database of databases) {
      await using engine = await startWebServer();
      await using tools = await ToolSite.open(harness, { database, env: { SEARCH_URL: engine.url("/", "127.0.0.1") } });
      await using remote = await startScriptedMcpServer();
      const target = { harness, tools, remote, engine };
      await tryAddresses(target);
      await tryApprovals(target);
      await tryHeaders(target);
      await tryBounds(target);
    }
  },
};
