import { conversationPaths } from "#contract/conversation/paths.ts";
import { toolListSchema } from "#contract/conversation/tools.ts";
import { api } from "../../api/client.ts";
import { accountQuery } from "../../queries/query.ts";

/** Query of the groups of tools that can be used now. */
export const toolGroupsQuery = accountQuery((signal) => api.get(conversationPaths.tools, toolListSchema, { signal }));
