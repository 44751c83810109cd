import type { Clock } from "../concurrency/clock.ts";
import type { OtherWriters } from "../database/sqlite/other-writers.ts";
import type { Search } from "../search/search.ts";
import { basicTools } from "../tools/basics/basic-tools.ts";
import { chatTools } from "../tools/own-chats/chat-tools.ts";
import type { ToolGroup } from "../tools/tool.ts";
import { Toolbox } from "../tools/toolbox.ts";
import { WebSearch, type WebSearchDeps } from "../tools/web-search/web-search.ts";
import { WebTools } from "../tools/web-search/web-tools.ts";

export type ToolboxDeps = WebSearchDeps & { otherWriters: OtherWriters; search: Search; clock: Clock };

/** Replacements for tests. */
export type ToolOverrides = {
  acceptsNewSecret?: boolean;
  /** Groups of tools beside those of the server. */
  toolGroups?: readonly ToolGroup[];
  /** Whether pages of an IP address may be read. */
  isPublicAddress?: (address: string) => boolean;
};

/** Opens the search engine of the owner and the tools of the server. @throws ConfigError */
export async function openToolbox(
  opened: AsyncDisposableStack,
  deps: ToolboxDeps,
  { acceptsNewSecret = false, toolGroups = [], isPublicAddress }: ToolOverrides,
): Promise<{ webSearch: WebSearch; toolbox: Toolbox }> {
  const webSearch = opened.use(await WebSearch.open(deps, { acceptsNewSecret }));
  deps.otherWriters.onWritten(() => void webSearch.reload());
  const webTools = opened.use(new WebTools({ ...deps, webSearch, ...(isPublicAddress && { isPublicAddress }) }));
  const toolbox = opened.use(new Toolbox([webTools, chatTools(deps.search), basicTools, ...toolGroups]));
  return { webSearch, toolbox };
}
