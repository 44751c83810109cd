import { toolSignInPaths } from "#contract/mcp/sign-ins.ts";
import type { RouteExpectation } from "./route-expectation.ts";

const signedIn = { role: "signed-in" } as const;

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
