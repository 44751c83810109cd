import { conversationPaths } from "#contract/conversation/paths.ts";
import { type ToolServer, toolListSchema } from "#contract/conversation/tools.ts";
import { api } from "../../api/client.ts";
import { accountQuery } from "../../queries/query.ts";

/** Query of the groups of tools that can be used now. */
export const toolGroupsQuery = accountQuery((signal) => api.get(conversationPaths.tools, toolListSchema, { signal }));

/** Returns the server of a group; undefined for a group of Parley, and for one that is not listed. */
export const findToolServer = (slug: string): ToolServer | undefined =>
  toolGroupsQuery.state.get().value?.groups.find((group) => group.slug === slug)?.server;
