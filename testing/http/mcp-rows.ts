import { administrationPaths } from "#contract/administration/paths.ts";
import type { RouteExpectation } from "./route-expectation.ts";

const administrator = { role: "administrator" } as const;
const provedOwner = { role: "owner", proof: true } as const;

/** Routes of MCP servers, of which none listens. */
export const mcpRows: Readonly<Record<string, RouteExpectation>> = {
  [`GET ${administrationPaths.mcpServers}`]: { ...administrator, status: 200 },
  [`POST ${administrationPaths.mcpServers}`]: {
    ...provedOwner,
    body: () => ({ name: "Nobody", url: "http://127.0.0.1:9/mcp", isEnabled: false }),
    status: 201,
  },
  [`PATCH ${administrationPaths.mcpServer(":id")}`]: {
    ...provedOwner,
    id: "mcpServer",
    body: () => ({ name: "Somebody", isEnabled: false }),
    status: 200,
  },
  [`DELETE ${administrationPaths.mcpServer(":id")}`]: { ...provedOwner, id: "mcpServer", status: 204 },
  [`POST ${administrationPaths.mcpServerTools(":id")}`]: { ...provedOwner, id: "mcpServer", status: 200 },
  [`POST ${administrationPaths.mcpServerCheck}`]: {
    ...provedOwner,
    body: () => ({ url: "http://127.0.0.1:9/mcp" }),
    status: 200,
  },
};
