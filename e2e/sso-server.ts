import { type OidcServer, startOidcServer } from "../testing/sso/oidc-server.ts";
import { test as base } from "./fixtures.ts";
import { withServerAt } from "./server-at-address.ts";

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
      await withServerAt(
        "127.0.0.1",
        () => ({ env: oidc.env }),
        async (parley) => {
          await oidc.serve({ publicUrl: parley.app.url });
          await use(parley);
        },
      );
    },
    { scope: "worker" },
  ],
});
