import { toolSignInAttemptSchema, toolSignInPaths } from "#contract/mcp/sign-ins.ts";
import { leaveForUrl } from "../../accounts/session/leave-for-url.ts";
import { api } from "../../api/client.ts";

/** Begins the sign-in to a server, for which the browser leaves this page. @throws ApiError; for an address that is not of the web */
export async function beginSignIn(id: string): Promise<void> {
  const { address } = await api.post(toolSignInPaths.attempt(encodeURIComponent(id)), {}, toolSignInAttemptSchema);
  leaveForUrl(address);
}
