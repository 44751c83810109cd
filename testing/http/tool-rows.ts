import { conversationPaths } from "#contract/conversation/paths.ts";
import { ownServerPaths } from "#contract/mcp/own-servers.ts";
import { toolSignInPaths } from "#contract/mcp/sign-ins.ts";
import type { RouteExpectation } from "./route-expectation.ts";

const signedIn = { role: "signed-in" } as const;
const approval = { ...signedIn, id: "approval" } as const;
const ownServer = { ...signedIn, id: "ownServer" } as const;

/** Routes of tools and their servers. */
export const toolRows: Readonly<Record<string, RouteExpectation>> = {
  [`GET ${conversationPaths.tools}`]: { ...signedIn, status: 200 },
  [`GET ${conversationPaths.toolApprovals}`]: { ...signedIn, status: 200 },
  [`DELETE ${conversationPaths.toolApprovals}`]: { ...signedIn, status: 204 },
  [`DELETE ${conversationPaths.toolApproval(":id")}`]: { ...approval, status: 204 },
  [`GET ${ownServerPaths.servers}`]: { ...signedIn, status: 200 },
  [`POST ${ownServerPaths.servers}`]: {
    ...signedIn,
    body: () => ({ name: "Shop", url: "https://shop.example.org/mcp" }),
    status: 201,
  },
  [`PATCH ${ownServerPaths.server(":id")}`]: { ...ownServer, body: () => ({ name: "Tea shop" }), status: 200 },
  [`DELETE ${ownServerPaths.server(":id")}`]: { ...ownServer, status: 204 },
  [`POST ${ownServerPaths.refresh(":id")}`]: { ...ownServer, status: 200 },
};

/** Sign-ins to tool servers, which no server accepts. */
export const toolSignInRows: Readonly<Record<string, RouteExpectation>> = {
  [`GET ${toolSignInPaths.client}`]: { role: "open", status: 200 },
  [`POST ${toolSignInPaths.attempt(":id")}`]: { ...signedIn, id: "toolServer", status: 409 },
  [`POST ${toolSignInPaths.completion}`]: {
    ...signedIn,
    body: () => ({ state: "x".repeat(43), code: "x" }),
    status: 400,
  },
  [`DELETE ${toolSignInPaths.attempt(":id")}`]: { ...signedIn, id: "toolServer", status: 409 },
};
