import {
  accountActionResultsSchema,
  accountActionsSchema,
  accountListSchema,
  accountsCsvQuerySchema,
  accountsQuerySchema,
  administeredAccountSchema,
  administeredParamsSchema,
  changeAdministeredSchema,
} from "#contract/administration/administration.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { setRights } from "../accounts/administration/account-rights.ts";
import { administratorOf } from "../accounts/administration/administrator.ts";
import { reachOf } from "../accounts/roles/may-administer.ts";
import { identityOf } from "../http/session-hook.ts";
import type { RouteApp } from "../http/validation.ts";
import { actOnAccounts } from "./account-actions.ts";
import { readAdministered } from "./account-details.ts";
import { listAccountsPage, writeAccounts } from "./account-list.ts";
import type { AdministrationDeps } from "./administration-deps.ts";
import { sendCsv } from "./send-csv.ts";

const tags = ["administration"];
const proved = { role: "administrator", proof: true } as const;
const manager = { role: "manager" } as const;
const provedManager = { ...manager, proof: true } as const;

/** The list of accounts, and actions on them. */
export function administeredAccountRoutes(app: RouteApp, deps: AdministrationDeps): void {
  listRoutes(app, deps);
  accountRoutes(app, deps);
}

function listRoutes(app: RouteApp, deps: AdministrationDeps): void {
  app.get(
    administrationPaths.accounts,
    {
      config: manager,
      schema: {
        summary: "List accounts by page, without their chats",
        description: "Managers get the members of their own group.",
        tags,
        querystring: accountsQuerySchema,
        response: { 200: accountListSchema },
      },
    },
    (request) => listAccountsPage(deps, request.query, reachOf(identityOf(request))),
  );
  app.get(
    administrationPaths.accountsCsv,
    {
      config: provedManager,
      schema: { summary: "Export the list of accounts as CSV", tags, querystring: accountsCsvQuerySchema },
    },
    (request, reply) => {
      const lines = writeAccounts(deps, request.query, reachOf(identityOf(request)));
      return sendCsv(deps, { request, reply, name: "accounts" }, lines);
    },
  );
}

function accountRoutes(app: RouteApp, deps: AdministrationDeps): void {
  app.post(
    administrationPaths.accountActions,
    {
      config: { ...provedManager, limit: "account-change" },
      schema: {
        summary: "Act on several accounts",
        description:
          "Each account is changed in a transaction of its own; a refusal does not stop the others. Administrators act on " +
          "persons and managers, owners on everybody; nobody disables or deletes themselves. Managers verify, disable and " +
          "enable the persons of their group, end their sessions and send them reset links.",
        tags,
        body: accountActionsSchema,
        response: { 200: accountActionResultsSchema },
      },
    },
    async (request) => ({
      results: await actOnAccounts(
        deps,
        request.body,
        administratorOf(identityOf(request)),
        reachOf(identityOf(request)),
      ),
    }),
  );
  app.get(
    administrationPaths.account(":id"),
    {
      config: manager,
      schema: {
        summary: "Get an account with its sessions and its usage of this month",
        tags,
        params: administeredParamsSchema,
        response: { 200: administeredAccountSchema },
      },
    },
    (request) => readAdministered(deps, request.params.id, reachOf(identityOf(request))),
  );
  app.patch(
    administrationPaths.account(":id"),
    {
      config: { ...proved, limit: "account-change" },
      schema: {
        summary: "Change the role, the storage quota, the budget or the group of an account",
        description: "Only owners name administrators; the last owner stays. Ownership is offered instead.",
        tags,
        params: administeredParamsSchema,
        body: changeAdministeredSchema,
        response: { 200: administeredAccountSchema },
      },
    },
    async (request) => {
      const { id } = request.params;
      await setRights(deps, id, { ...request.body, by: administratorOf(identityOf(request)) });
      return readAdministered(deps, id, "all");
    },
  );
}
