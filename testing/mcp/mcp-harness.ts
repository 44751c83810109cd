import { McpConnections } from "../../server/mcp/client/mcp-connections.ts";
import type { McpConnectionsDeps } from "../../server/mcp/client/mcp-connections-deps.ts";
import type { McpListing } from "../../server/mcp/mcp-clients.ts";
import type { McpServer } from "../../server/mcp/mcp-server.ts";
import { Outbound } from "../../server/outbound/outbound.ts";
import type { ToolContext, ToolOutcome } from "../../server/tools/tool.ts";
import { type TestApp, TestClock } from "../app/start-test-app.ts";
import { toolContext } from "./mcp-calls.ts";

/** Connections to servers on the database of an app, with a clock and timers that a test controls. */
export class McpHarness implements AsyncDisposable {
  /** Begins at the time of the app, whose sweep removes what is old. */
  readonly clock: TestClock;
  readonly connections: McpConnections;
  /** What is scheduled, such as the end of idle connections. */
  readonly scheduled = new Set<() => void>();

  constructor({ context }: TestApp, more: Partial<McpConnectionsDeps> = {}) {
    const { database, log } = context;
    this.clock = new TestClock(context.clock.now());
    const schedule = (run: () => void) => {
      this.scheduled.add(run);
      return () => this.scheduled.delete(run);
    };
    const deps = { database, log, clock: this.clock, outbound: new Outbound(), version: "1.0.0", schedule };
    this.connections = new McpConnections({ ...deps, ...more });
  }

  /** Lists the tools of a server and stores them. */
  refresh(server: McpServer, userId = "ada"): Promise<McpListing> {
    return this.connections.refresh(server, userId, new AbortController().signal);
  }

  /** Lists the tools of a server and calls one of them as it is then. */
  async call(
    server: McpServer,
    name: string,
    given: Record<string, unknown> = {},
    more: Partial<ToolContext> = {},
  ): Promise<ToolOutcome> {
    const listing = await this.refresh(server);
    const tool = listing.ok ? listing.tools.find((each) => each.name === name) : undefined;
    if (!tool) throw new Error(`There is no tool ${name}: ${JSON.stringify(listing)}`);
    return this.connections.call({ server, tool, given, context: toolContext(more) });
  }

  /** Runs all that is scheduled. */
  runScheduled(): void {
    for (const run of this.scheduled) {
      this.scheduled.delete(run);
      run();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.connections[Symbol.asyncDispose]();
  }
}
