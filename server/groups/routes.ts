import type { FastifyPluginAsync } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import {
  accountGroupListSchema,
  accountGroupSchema,
  changeGroupSchema,
  groupDeletionSchema,
  groupParamsSchema,
  newGroupSchema,
} from "#contract/administration/groups.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { reachOf } from "../accounts/roles/may-administer.ts";
import { identityOf } from "../http/session-hook.ts";
import { changeGroup, createGroup, deleteGroup, type GroupsDeps, listAccountGroups } from "./groups.ts";

const tags = ["administration"];
const proved = { role: "administrator", proof: true } as const;

/** Groups of accounts. */
export function groupRoutes(deps: GroupsDeps): FastifyPluginAsync {
  const routes: FastifyPluginAsyncZod = async (app) => {
    app.get(
      administrationPaths.groups,
      {
        config: { role: "manager" },
        schema: {
          summary: "List the groups of accounts with the number of their members",
          description: "Managers get their own group only.",
          tags,
          response: { 200: accountGroupListSchema },
        },
      },
      (request) => listAccountGroups(deps, reachOf(identityOf(request))),
    );
    app.post(
      administrationPaths.groups,
      {
        config: proved,
        schema: { summary: "Create a group", tags, body: newGroupSchema, response: { 201: accountGroupSchema } },
      },
      async (request, reply) => reply.code(201).send(await createGroup(deps, request.body, identityOf(request))),
    );
    app.patch(
      administrationPaths.group(":id"),
      {
        config: proved,
        schema: {
          summary: "Change a group",
          description: "Takes effect with the next send of each member.",
          tags,
          params: groupParamsSchema,
          body: changeGroupSchema,
          response: { 200: accountGroupSchema },
        },
      },
      (request) => changeGroup(deps, request.params.id, request.body, identityOf(request)),
    );
    app.delete(
      administrationPaths.group(":id"),
      {
        config: proved,
        schema: {
          summary: "Delete a group",
          description:
            "Its members are in no group afterwards and can use all models; open invitations into it are revoked.",
          tags,
          params: groupParamsSchema,
          response: { 200: groupDeletionSchema },
        },
      },
      (request) => deleteGroup(deps, request.params.id, identityOf(request)),
    );
  };
  return routes;
}
