import "@fastify/cookie";
import type { FastifyPluginAsync } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { authConfigSchema, userSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { Failure } from "../failure.ts";
import { identityOf } from "../http/session-hook.ts";
import type { RouteApp } from "../http/validation.ts";
import { findUser } from "./account-store.ts";
import type { AccountContext } from "./accounts.ts";
import { nonceCookieOf } from "./google/nonce-cookie.ts";
import { googleRoutes } from "./google/routes.ts";
import { invitationRoutes } from "./invitations/routes.ts";
import { directoryRoute } from "./ldap/routes.ts";
import { mailedKeyRoutes } from "./mailed-keys/routes.ts";
import { ssoRoutes } from "./oidc/routes.ts";
import { passkeyRoutes } from "./passkeys/routes.ts";
import { recoveryRoutes } from "./recovery/routes.ts";
import { registrationRoutes } from "./registration/routes.ts";
import { roleRoutes } from "./roles/routes.ts";
import { findLoss } from "./second-factor/lost-factor-store.ts";
import { secondFactorRoutes } from "./second-factor/routes.ts";
import { settingsRoutes } from "./settings/routes.ts";
import { signInRoutes } from "./sign-in/routes.ts";
import { toUser } from "./to-user.ts";
import { headerRoute } from "./trusted-header/routes.ts";
import { passkeySiteOf } from "./webauthn/passkey-site.ts";
import { hasPasskeysOf } from "./webauthn/passkey-store.ts";

const tags = ["accounts"];
const open = { role: "open" } as const;

export function accountRoutes(accounts: AccountContext): FastifyPluginAsync {
  const routes: FastifyPluginAsyncZod = async (app) => {
    app.addHook("onRoute", (route) => {
      if (route.method !== "GET" && route.method !== "HEAD") {
        route.config = { limit: "account-change", ...route.config };
      }
    });
    configRoute(app, accounts);
    registrationRoutes(app, accounts);
    roleRoutes(app, accounts);
    invitationRoutes(app, accounts);
    recoveryRoutes(app, accounts);
    mailedKeyRoutes(app, accounts);
    settingsRoutes(app, accounts);
    signInRoutes(app, accounts);
    secondFactorRoutes(app, accounts);
    passkeyRoutes(app, accounts);
    googleRoutes(app, accounts);
    ssoRoutes(app, accounts);
    directoryRoute(app, accounts);
    headerRoute(app, accounts);
    ownRoute(app, accounts);
  };
  return routes;
}

function configRoute(app: RouteApp, accounts: AccountContext): void {
  const { clock, config, database, google, installation } = accounts;
  const nonceCookie = nonceCookieOf(config);
  app.get(
    accountPaths.authConfig,
    {
      config: open,
      schema: { summary: "Get the configuration of the sign-in screens", tags, response: { 200: authConfigSchema } },
    },
    async (request, reply) => {
      reply.renewAntiForgery(request.identity?.sessionId);
      const { productName, registration } = installation.current;
      const { passwordMin, passwordPolicy, hasMailServer } = config;
      const { maxFileBytes: maxBytes, maxFilesPerMessage: maxPerMessage } = config;
      const site = passkeySiteOf(config.publicUrl);
      const answer = {
        productName,
        passwordMin,
        passwordPolicy,
        registrationOpen: registration === "open",
        ...(!hasMailServer && { isMailOnConsole: true as const }),
        ...(typeof site === "object" && (await hasPasskeysOf(database, site.host)) && { hasPasskeys: true as const }),
        ...(await identityProvidersPart(accounts)),
        ...(maxBytes > 0 && { files: { maxBytes, maxPerMessage } }),
        maxMessageChars: config.maxMessageChars,
      };
      if (!google) return answer;
      const { nonce, cookie } = google.nonces.issue(request.cookies[nonceCookie.name], clock.now());
      reply.setCookie(nonceCookie.name, cookie, nonceCookie.options);
      return { ...answer, googleClientId: google.clientId, googleNonce: nonce };
    },
  );
}

/** Returns what the sign-in page offers of identity providers; nothing where there are none. */
async function identityProvidersPart({ config, database, identityProviders }: AccountContext) {
  const offered = (await identityProviders.list(database)).map(({ slug, name, kind }) => ({ slug, name, kind }));
  return {
    ...(offered.length > 0 && { identityProviders: offered }),
    ...(config.isSsoOnly && { isSsoOnly: true as const }),
  };
}

function ownRoute(app: RouteApp, { database }: AccountContext): void {
  app.get(
    accountPaths.me,
    { schema: { summary: "Get the signed-in account", tags, response: { 200: userSchema } } },
    async (request, reply) => {
      const { userId, sessionId } = identityOf(request);
      const user = await findUser(database, userId);
      if (!user) throw new Failure("not-signed-in");
      reply.renewAntiForgery(sessionId);
      const endsAt = await findLoss(database, userId);
      return { ...toUser(user), ...(endsAt !== undefined && { secondFactorEndsAt: endsAt }) };
    },
  );
}
