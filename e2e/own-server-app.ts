import { test as base } from "./chat-screen.ts";
import { withServerAt } from "./server-at-address.ts";

/** Starts a server whose people may add tool servers on this machine, at the address to which sign-ins lead back. */
export const test = base.extend({
  parley: [
    async ({ browserName: _ }, use) => {
      await withServerAt(
        "127.0.0.1",
        (providerUrl) => ({
          env: { OPENAI_API_KEY: "scripted-key", OPENAI_BASE_URL: providerUrl, MCP_OWN_SERVERS: "on" },
          isPublicAddress: (address) => address === "127.0.0.1",
        }),
        use,
      );
    },
    { scope: "worker" },
  ],
});
