import { setImmediate } from "node:timers/promises";
import type { ListedToolGroup, ToolServer, ToolServerState } from "#contract/conversation/tools.ts";
import { REPLY_TOOLS_MAX } from "#contract/limits.ts";
import type { Clock } from "../concurrency/clock.ts";
import type { Database, Queryable } from "../database/schema.ts";
import type { McpServerStateRow } from "../database/tables/mcp-tables.ts";
import type { Tool, ToolContext } from "../tools/tool.ts";
import { ToolInputError } from "../tools/tool-input-error.ts";
import type { ToolSource } from "../tools/tool-source.ts";
import type { McpClients } from "./mcp-clients.ts";
import { addressOf, type McpServer, shownHostOf } from "./mcp-server.ts";
import { listStates } from "./mcp-server-store.ts";
import type { ServerDirectory } from "./server-directory.ts";
import { StaleLists } from "./stale-lists.ts";
import { effectOf, parseTools, type StoredTool } from "./stored-tool.ts";

/** The tools of the MCP servers that accounts may use, as they were last listed. */
export class McpTools implements ToolSource {
  readonly #database: Database;
  readonly #servers: ServerDirectory;
  readonly #clients: Pick<McpClients, "call">;
  readonly #lists: StaleLists;

  constructor(
    servers: ServerDirectory,
    deps: { database: Database; clients: Pick<McpClients, "call" | "refresh">; clock: Clock },
  ) {
    this.#database = deps.database;
    this.#servers = servers;
    this.#clients = deps.clients;
    this.#lists = new StaleLists(deps);
  }

  async listTools(db: Queryable, userId: string, slugs: readonly string[]): Promise<Tool[]> {
    const servers = (await this.#servers.listFor(db, userId)).filter(({ slug }) => slugs.includes(slug));
    const states = await findStates(db, servers, userId);
    const tools: Tool[] = [];
    for (const server of servers) {
      for (const tool of offeredTools(server, states.get(server.key))) tools.push(this.#toTool(server, tool));
      // A list may have 2 MB.
      await setImmediate();
    }
    return tools;
  }

  async listGroups(db: Queryable, userId: string): Promise<ListedToolGroup[]> {
    const servers = await this.#servers.listFor(db, userId);
    let states = await findStates(db, servers, userId);
    if (await this.#lists.refresh(servers, states, userId)) states = await findStates(db, servers, userId);
    const groups: ListedToolGroup[] = [];
    for (const server of servers) {
      groups.push({ slug: server.slug, server: toListedServer(server, states.get(server.key)) });
      await setImmediate();
    }
    return groups;
  }

  #toTool(server: McpServer, tool: StoredTool): Tool {
    const { hints } = tool;
    return {
      group: server.slug,
      name: tool.name,
      description: tool.description,
      parameters: { ...tool.inputSchema, type: "object" },
      reach: "outside",
      isRepeatable: server.isTrusted && (hints.readOnly === true || hints.idempotent === true),
      server: { name: server.name, address: addressOf(server), host: shownHostOf(server), effect: effectOf(tool) },
      ...(tool.title !== undefined && { title: tool.title }),
      run: async (given, context) =>
        this.#clients.call({ server: await this.#current(server, tool, context), tool, given, context }),
    };
  }

  /**
   * Returns a server as it is when a call is sent: since the reply began, any process may have changed or removed it.
   * @throws ToolInputError if the tool is not one of it any more; Error of a call that was sent before
   */
  async #current(known: McpServer, { name }: StoredTool, { userId, resumption }: ToolContext): Promise<McpServer> {
    const server = await this.#servers.findFor(this.#database, userId, known.key);
    const isOffered = server?.chosenTools?.includes(name) ?? true;
    if (server && isOffered && addressOf(server) === addressOf(known)) return server;
    if (resumption) throw new Error("The server of a call was changed or removed");
    throw new ToolInputError("The server of this tool was changed or removed. The call was not sent.");
  }
}

/** Returns the state of each server for a person: the own one of a person who has signed in to it. */
export async function findStates(
  db: Queryable,
  servers: readonly Pick<McpServer, "key">[],
  userId: string,
): Promise<Map<string, McpServerStateRow>> {
  const rows = await listStates(
    db,
    servers.map(({ key }) => key),
    userId,
  );
  const shared = rows.filter((row) => row.user_id === "");
  const own = rows.filter((row) => row.user_id !== "");
  return new Map([...shared, ...own].map((row) => [row.server, row]));
}

/** Returns the tools of a server that are offered. */
function offeredTools({ chosenTools }: McpServer, state: McpServerStateRow | undefined): StoredTool[] {
  const tools = parseTools(state?.tools ?? null);
  return chosenTools === null ? tools : tools.filter(({ name }) => chosenTools.includes(name));
}

/** Returns a server as menus show it. */
export function toListedServer(server: McpServer, state: McpServerStateRow | undefined): ToolServer {
  const all = offeredTools(server, state);
  const tools = all.slice(0, REPLY_TOOLS_MAX).map((tool) => ({
    name: tool.name,
    ...(tool.title !== undefined && { title: tool.title }),
    effect: effectOf(tool),
  }));
  return {
    id: server.key,
    name: server.name,
    host: shownHostOf(server),
    isOwn: server.source === "person",
    state: serverStateOf(state, all.length),
    tools,
    leftOut: all.length - tools.length,
  };
}

/** @param tools number of its tools that are offered */
export function serverStateOf(state: McpServerStateRow | undefined, tools: number): ToolServerState {
  if (state?.needs_sign_in === 1) return "connect";
  if (state?.failure) return "away";
  return tools === 0 ? "empty" : "ready";
}
