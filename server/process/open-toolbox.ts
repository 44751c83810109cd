import type { OtherWriters } from "../database/sqlite/other-writers.ts";
import { McpTools } from "../mcp/mcp-tools.ts";
import type { Search } from "../search/search.ts";
import { basicTools } from "../tools/basics/basic-tools.ts";
import { chatTools } from "../tools/own-chats/chat-tools.ts";
import type { ToolGroup } from "../tools/tool.ts";
import { Toolbox } from "../tools/toolbox.ts";
import { WebSearch, type WebSearchDeps } from "../tools/web-search/web-search.ts";
import { WebTools } from "../tools/web-search/web-tools.ts";
import { type Mcp, type McpDeps, type McpOverrides, openMcp } from "./open-mcp.ts";

export type ToolboxDeps = WebSearchDeps & McpDeps & { otherWriters: OtherWriters; search: Search };

/** Replacements for tests. */
export type ToolOverrides = McpOverrides & {
  acceptsNewSecret?: boolean;
  /** Groups of tools beside those of the server. */
  toolGroups?: readonly ToolGroup[];
};

/** Opens the search engine of the owner, the tools of the server and the MCP servers. @throws ConfigError */
export async function openToolbox(
  opened: AsyncDisposableStack,
  deps: ToolboxDeps,
  overrides: ToolOverrides,
): Promise<{ webSearch: WebSearch; toolbox: Toolbox; mcp: Mcp }> {
  const { acceptsNewSecret = false, toolGroups = [], isPublicAddress } = overrides;
  const webSearch = opened.use(await WebSearch.open(deps, { acceptsNewSecret }));
  deps.otherWriters.onWritten(() => void webSearch.reload());
  const webTools = opened.use(new WebTools({ ...deps, webSearch, ...(isPublicAddress && { isPublicAddress }) }));
  const mcp = await openMcp(opened, deps, overrides);
  const source = new McpTools(mcp.servers, { ...deps, clients: mcp.clients });
  const groups = [webTools, chatTools(deps.search), basicTools, ...toolGroups];
  const toolbox = opened.use(new Toolbox(groups, source));
  return { webSearch, toolbox, mcp };
}
