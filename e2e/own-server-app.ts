import { fileURLToPath } from "node:url";
import { startTestApp } from "../testing/app/start-test-app.ts";
import { startScriptedProvider } from "../testing/provider/scripted-provider.ts";
import { FaultProxy } from "../testing/servers/fault-proxy.ts";
import { test as base } from "./chat-screen.ts";

const webFolder = fileURLToPath(new URL("../build/web", import.meta.url));

/** Starts a server whose people may add tool servers on this machine, at the address to which sign-ins lead back. */
export const test = base.extend({
  parley: [
    async ({ browserName: _ }, use) => {
      await using provider = await startScriptedProvider();
      const target = { host: "127.0.0.1", port: 0 };
      await using proxy = new FaultProxy(target);
      await proxy.listen();
      const url = `http://127.0.0.1:${proxy.port}`;
      await using app = await startTestApp({
        webFolder,
        env: {
          OPENAI_API_KEY: "scripted-key",
          OPENAI_BASE_URL: provider.baseUrl,
          PUBLIC_URL: url,
          MCP_OWN_SERVERS: "on",
        },
        isPublicAddress: (address) => address === "127.0.0.1",
      });
      target.port = Number(new URL(app.url).port);
      await use({ app: { ...app, url }, provider });
    },
    { scope: "worker" },
  ],
});
