import { fileURLToPath } from "node:url";
import { startTestApp } from "../testing/app/start-test-app.ts";
import { startScriptedProvider } from "../testing/provider/scripted-provider.ts";
import { FaultProxy } from "../testing/servers/fault-proxy.ts";
import { type OidcServer, startOidcServer } from "../testing/sso/oidc-server.ts";
import { test as base } from "./fixtures.ts";

const webFolder = fileURLToPath(new URL("../build/web", import.meta.url));

/** Starts a server whose people can sign in by a provider with OpenID Connect. */
export const test = base.extend<Record<never, never>, { oidc: OidcServer }>({
  oidc: [
    async ({ browserName: _ }, use) => {
      await using oidc = await startOidcServer();
      await use(oidc);
    },
    { scope: "worker" },
  ],
  parley: [
    async ({ browserName: _, oidc }, use) => {
      await using provider = await startScriptedProvider();
      const target = { host: "127.0.0.1", port: 0 };
      await using proxy = new FaultProxy(target);
      await proxy.listen();
      const url = `http://127.0.0.1:${proxy.port}`;
      await using app = await startTestApp({ webFolder, env: { ...oidc.env, PUBLIC_URL: url } });
      target.port = Number(new URL(app.url).port);
      await oidc.serve({ publicUrl: url });
      await use({ app: { ...app, url }, provider });
    },
    { scope: "worker" },
  ],
});
