import type { FastifyPluginAsync } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import * as z from "zod/mini";
import {
  connectedToolServerSchema,
  oauthClientSchema,
  toolServerParamsSchema,
  toolSignInAnswerSchema,
  toolSignInAttemptSchema,
  toolSignInPaths,
} from "#contract/mcp/sign-ins.ts";
import { identityOf } from "../../http/session-hook.ts";
import { leavingOf } from "../../http/streams/leaving-of.ts";
import type { McpSignIns } from "./mcp-sign-ins.ts";
import { clientDocumentOf, type OauthSettings } from "./oauth-identity.ts";

export type ToolSignInRoutesDeps = { signIns: McpSignIns; settings: () => OauthSettings };

const tags = ["tools"];
/** Each makes a handful of requests to another server. */
const config = { role: "signed-in", limit: "provider-check" } as const;

/** Sign-ins of people to tool servers. */
export function toolSignInRoutes({ signIns, settings }: ToolSignInRoutesDeps): FastifyPluginAsync {
  const routes: FastifyPluginAsyncZod = async (app) => {
    app.get(
      toolSignInPaths.client,
      {
        config: { role: "open" },
        schema: {
          summary: "Get the metadata of this installation as a client of authorisation servers",
          description: "Its address is the client's id (OAuth Client ID Metadata Document), if it has https.",
          tags,
          response: { 200: oauthClientSchema },
        },
      },
      async () => clientDocumentOf(settings()),
    );
    app.post(
      toolSignInPaths.attempt(":id"),
      {
        config,
        schema: {
          summary: "Begin a sign-in to a tool server",
          description: "Answers the address at its authorisation server to which the browser goes.",
          tags,
          params: toolServerParamsSchema,
          response: { 200: toolSignInAttemptSchema },
        },
      },
      async (request, reply) => {
        const { userId, sessionId } = identityOf(request);
        const address = await signIns.begin(request.params.id, { userId, sessionId }, leavingOf(reply));
        return { address };
      },
    );
    app.post(
      toolSignInPaths.completion,
      {
        config,
        schema: {
          summary: "Finish a sign-in to a tool server",
          description: "With what its authorisation server sent the browser back with; once, in the same session.",
          tags,
          body: toolSignInAnswerSchema,
          response: { 200: connectedToolServerSchema },
        },
      },
      async (request, reply) => {
        const { userId, sessionId } = identityOf(request);
        return signIns.finish(request.body, { userId, sessionId }, leavingOf(reply));
      },
    );
    app.delete(
      toolSignInPaths.attempt(":id"),
      {
        config,
        schema: {
          summary: "End the sign-in to a tool server",
          description: "Deletes the tokens, and revokes them at their issuer if that answers within 5 s.",
          tags,
          params: toolServerParamsSchema,
          response: { 204: z.undefined() },
        },
      },
      async (request, reply) => {
        await signIns.end(request.params.id, identityOf(request).userId);
        return reply.code(204).send();
      },
    );
  };
  return routes;
}
