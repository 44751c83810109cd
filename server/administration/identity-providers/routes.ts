import * as z from "zod/mini";
import {
  administeredProviderParamsSchema,
  administeredProviderSchema,
  administeredProvidersSchema,
  changeIdentityProviderSchema,
  identityProviderCheckRequestSchema,
  identityProviderCheckSchema,
  newIdentityProviderSchema,
  providerOrderSchema,
} from "#contract/administration/identity-providers.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import type { AccountContext } from "../../accounts/accounts.ts";
import { identityOf } from "../../http/session-hook.ts";
import type { RouteApp } from "../../http/validation.ts";
import { addProvider, changeProvider, orderProviders } from "./change-providers.ts";
import { checkIdentityProvider } from "./check-identity-provider.ts";
import { describeProvider, describeProviders } from "./describe-providers.ts";
import { removeProvider } from "./remove-provider.ts";

const tags = ["administration"];
const proved = { role: "owner", proof: true, limit: "account-change" } as const;
const params = administeredProviderParamsSchema;

/** Identity providers with OpenID Connect, for owners. */
export function identityProviderRoutes(app: RouteApp, accounts: AccountContext): void {
  app.get(
    administrationPaths.identityProviders,
    {
      config: { role: "owner" },
      schema: {
        summary: "List the identity providers",
        description:
          "Those that the environment sets come first. Secrets are never returned, but for their last four characters.",
        tags,
        response: { 200: administeredProvidersSchema },
      },
    },
    () => describeProviders(accounts),
  );
  app.post(
    administrationPaths.identityProviders,
    {
      config: proved,
      schema: {
        summary: "Add an identity provider",
        description: "The sign-in page of every process offers it at once.",
        tags,
        body: newIdentityProviderSchema,
        response: { 201: administeredProviderSchema },
      },
    },
    async (request, reply) => {
      const slug = await addProvider(accounts, request.body, identityOf(request));
      return reply.code(201).send(await describeProvider(accounts, slug));
    },
  );
  app.put(
    administrationPaths.identityProviderOrder,
    {
      config: proved,
      schema: {
        summary: "Order the identity providers",
        tags,
        body: providerOrderSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await orderProviders(accounts, request.body.slugs, identityOf(request));
      return reply.code(204).send();
    },
  );
  providerRoutes(app, accounts);
}

function providerRoutes(app: RouteApp, accounts: AccountContext): void {
  app.patch(
    administrationPaths.identityProvider(":id"),
    {
      config: proved,
      schema: {
        summary: "Change an identity provider",
        description: "Its issuer cannot be changed, because identities belong to it.",
        tags,
        params,
        body: changeIdentityProviderSchema,
        response: { 200: administeredProviderSchema },
      },
    },
    async (request) => {
      const { id: slug } = request.params;
      await changeProvider(accounts, slug, request.body, identityOf(request));
      return describeProvider(accounts, slug);
    },
  );
  app.delete(
    administrationPaths.identityProvider(":id"),
    {
      config: proved,
      schema: {
        summary: "Remove an identity provider",
        description: "Ends the sessions that it began. Identities stay, and work again if its issuer is added again.",
        tags,
        params,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await removeProvider(accounts, request.params.id, identityOf(request));
      return reply.code(204).send();
    },
  );
  app.post(
    administrationPaths.identityProviderCheck,
    {
      config: { role: "owner", proof: true, limit: "provider-check" },
      schema: {
        summary: "Test an identity provider by its metadata",
        description: "Tests a provider of the list, or an issuer before it is saved. A failure is answered with 200.",
        tags,
        body: identityProviderCheckRequestSchema,
        response: { 200: identityProviderCheckSchema },
      },
    },
    (request) => checkIdentityProvider(accounts, request.body),
  );
}
