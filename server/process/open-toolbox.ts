import type { Clock } from "../concurrency/clock.ts";
import { readProgramVersion } from "../config/program-version.ts";
import type { Secrets } from "../config/secrets.ts";
import type { OtherWriters } from "../database/sqlite/other-writers.ts";
import type { InstallationSettings } from "../installation/installation-settings.ts";
import { McpConnections } from "../mcp/client/mcp-connections.ts";
import type { McpClients } from "../mcp/mcp-clients.ts";
import { McpTools } from "../mcp/mcp-tools.ts";
import { McpServers } from "../mcp/server-directory.ts";
import type { Search } from "../search/search.ts";
import { basicTools } from "../tools/basics/basic-tools.ts";
import { chatTools } from "../tools/own-chats/chat-tools.ts";
import type { ToolGroup } from "../tools/tool.ts";
import { Toolbox } from "../tools/toolbox.ts";
import { WebSearch, type WebSearchDeps } from "../tools/web-search/web-search.ts";
import { WebTools } from "../tools/web-search/web-tools.ts";

export type ToolboxDeps = WebSearchDeps & {
  secrets: Pick<Secrets, "mcpServers">;
  otherWriters: OtherWriters;
  search: Search;
  clock: Clock;
  installation: InstallationSettings;
};

/** Replacements for tests. */
export type ToolOverrides = {
  acceptsNewSecret?: boolean;
  /** Groups of tools beside those of the server. */
  toolGroups?: readonly ToolGroup[];
  /** Whether requests of tools may connect to an IP address. */
  isPublicAddress?: (address: string) => boolean;
};

/** MCP servers and the connections to them. */
export type Mcp = { readonly servers: McpServers; readonly clients: McpClients };

/** Opens the search engine of the owner, the tools of the server and the MCP servers. @throws ConfigError */
export async function openToolbox(
  opened: AsyncDisposableStack,
  deps: ToolboxDeps,
  { acceptsNewSecret = false, toolGroups = [], isPublicAddress }: ToolOverrides,
): Promise<{ webSearch: WebSearch; toolbox: Toolbox; mcp: Mcp }> {
  const webSearch = opened.use(await WebSearch.open(deps, { acceptsNewSecret }));
  deps.otherWriters.onWritten(() => void webSearch.reload());
  const webTools = opened.use(new WebTools({ ...deps, webSearch, ...(isPublicAddress && { isPublicAddress }) }));
  const { secrets, cipher, installation } = deps;
  const servers = new McpServers({
    fixed: secrets.mcpServers ?? [],
    cipher,
    allowsOwn: () => installation.current.ownToolServers === "on",
  });
  const clients = opened.use(new McpConnections({ ...deps, version: await readProgramVersion(), isPublicAddress }));
  const source = new McpTools(servers, { ...deps, clients });
  const groups = [webTools, chatTools(deps.search), basicTools, ...toolGroups];
  const toolbox = opened.use(new Toolbox(groups, source));
  return { webSearch, toolbox, mcp: { servers, clients } };
}
