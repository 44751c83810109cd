/** API calls of MCP servers. All throw ApiError; calls other than reads must be made through `withProof`. */

import {
  administeredMcpServersSchema,
  type McpServerChange,
  type McpServerCheckRequest,
  mcpServerCheckSchema,
  type NewMcpServer,
  savedMcpServerSchema,
} from "#contract/administration/mcp-servers.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { api } from "../../api/client.ts";
import type { ChangedFields } from "../../forms/changed-fields.ts";

export const toolServersApi = {
  read: (signal: AbortSignal) => api.get(administrationPaths.mcpServers, administeredMcpServersSchema, { signal }),
  add: (server: NewMcpServer) => api.post(administrationPaths.mcpServers, server, savedMcpServerSchema),
  change: (slug: string, change: ChangedFields<McpServerChange>) =>
    api.patch(administrationPaths.mcpServer(slug), change, savedMcpServerSchema),
  remove: (slug: string) => api.delete(administrationPaths.mcpServer(slug)),
  /** Asks a stored server for its tools. */
  refresh: (slug: string, signal: AbortSignal | undefined) =>
    api.post(administrationPaths.mcpServerTools(slug), undefined, savedMcpServerSchema, signal ? { signal } : {}),
  /** Tests values that are not saved. */
  check: (request: McpServerCheckRequest, signal: AbortSignal | undefined) =>
    api.post(administrationPaths.mcpServerCheck, request, mcpServerCheckSchema, signal ? { signal } : {}),
};
