import type { FastifyPluginAsync } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import * as z from "zod/mini";
import { hasRole } from "#contract/accounts/roles.ts";
import {
  administeredMcpServersSchema,
  changeMcpServerSchema,
  mcpServerCheckRequestSchema,
  mcpServerCheckSchema,
  mcpServerParamsSchema,
  newMcpServerSchema,
  type SavedMcpServer,
  savedMcpServerSchema,
} from "#contract/administration/mcp-servers.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { type Identity, identityOf } from "../../http/session-hook.ts";
import { leavingOf } from "../../http/streams/leaving-of.ts";
import type { RouteApp } from "../../http/validation.ts";
import { addServer, changeServer, removeServer } from "./change-servers.ts";
import { type CheckServerDeps, checkServer, refreshServer } from "./check-server.ts";
import { describeServer, describeServers } from "./describe-servers.ts";

const tags = ["administration"];
const proved = { role: "owner", proof: true, limit: "account-change" } as const;
const checked = { role: "owner", proof: true, limit: "provider-check" } as const;
const params = mcpServerParamsSchema;

/** MCP servers of the installation: administrators read them, owners change them. */
export function mcpServerRoutes(deps: CheckServerDeps): FastifyPluginAsync {
  const routes: FastifyPluginAsyncZod = async (app) => {
    listRoutes(app, deps);
    serverRoutes(app, deps);
    checkRoutes(app, deps);
  };
  return routes;
}

const readerOf = ({ userId, role }: Identity) => ({ userId, isOwner: hasRole(role, "owner") });

/** Asks a saved server for its tools and describes it. A failure of the server is a part of the answer. */
async function refreshed(
  deps: CheckServerDeps,
  slug: string,
  { identity, leaving }: { identity: Identity; leaving: AbortSignal },
): Promise<SavedMcpServer> {
  const check = await refreshServer(deps, slug, { userId: identity.userId, leaving });
  return { server: await describeServer(deps, slug, readerOf(identity)), check };
}

function listRoutes(app: RouteApp, deps: CheckServerDeps): void {
  app.get(
    administrationPaths.mcpServers,
    {
      config: { role: "administrator" },
      schema: {
        summary: "List the MCP servers",
        description:
          "Those of the file come first. Of headers only names and last characters are returned; people's own servers " +
          "are summed by host.",
        tags,
        response: { 200: administeredMcpServersSchema },
      },
    },
    (request) => describeServers(deps, readerOf(identityOf(request))),
  );
  app.post(
    administrationPaths.mcpServers,
    {
      config: proved,
      schema: {
        summary: "Add an MCP server",
        description: "It is asked for its tools before the answer, and is saved also if it does not answer.",
        tags,
        body: newMcpServerSchema,
        response: { 201: savedMcpServerSchema },
      },
    },
    async (request, reply) => {
      const identity = identityOf(request);
      const slug = await addServer(deps, request.body, identity);
      const isOff = request.body.isEnabled === false;
      const saved = isOff
        ? { server: await describeServer(deps, slug, readerOf(identity)), check: null }
        : await refreshed(deps, slug, { identity, leaving: leavingOf(reply) });
      return reply.code(201).send(saved);
    },
  );
}

function serverRoutes(app: RouteApp, deps: CheckServerDeps): void {
  app.patch(
    administrationPaths.mcpServer(":id"),
    {
      config: proved,
      schema: {
        summary: "Change an MCP server",
        description:
          "At another origin its headers must be entered again. Another address or other headers end the sign-ins to it.",
        tags,
        params,
        body: changeMcpServerSchema,
        response: { 200: savedMcpServerSchema },
      },
    },
    async (request, reply) => {
      const identity = identityOf(request);
      const { id: slug } = request.params;
      const { isMoved, isSwitchedOn } = await changeServer(deps, slug, request.body, identity);
      const server = await describeServer(deps, slug, readerOf(identity));
      if (!server.isEnabled || server.isUnreadable || !(isMoved || isSwitchedOn)) return { server, check: null };
      return refreshed(deps, slug, { identity, leaving: leavingOf(reply) });
    },
  );
  app.delete(
    administrationPaths.mcpServer(":id"),
    {
      config: proved,
      schema: {
        summary: "Remove an MCP server",
        description: "With its tools, the sign-ins of people to it, and what they have approved of it.",
        tags,
        params,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await removeServer(deps, request.params.id, identityOf(request));
      return reply.code(204).send();
    },
  );
}

function checkRoutes(app: RouteApp, deps: CheckServerDeps): void {
  app.post(
    administrationPaths.mcpServerTools(":id"),
    {
      config: checked,
      schema: {
        summary: "Ask an MCP server for its tools, and store them",
        tags,
        params,
        response: { 200: savedMcpServerSchema },
      },
    },
    (request, reply) =>
      refreshed(deps, request.params.id, { identity: identityOf(request), leaving: leavingOf(reply) }),
  );
  app.post(
    administrationPaths.mcpServerCheck,
    {
      config: checked,
      schema: {
        summary: "Test an MCP server",
        description: "Tests a server of the list, or values before they are saved. A failure is answered with 200.",
        tags,
        body: mcpServerCheckRequestSchema,
        response: { 200: mcpServerCheckSchema },
      },
    },
    (request, reply) =>
      checkServer(deps, request.body, { userId: identityOf(request).userId, leaving: leavingOf(reply) }),
  );
}
