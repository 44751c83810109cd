import {
  auditCsvQuerySchema,
  auditListSchema,
  auditQuerySchema,
  ownAuditQuerySchema,
  ownAuditSchema,
} from "#contract/administration/administration.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { identityOf } from "../http/session-hook.ts";
import type { RouteApp } from "../http/validation.ts";
import type { AdministrationDeps } from "./administration-deps.ts";
import { listAudit, listOwnAudit, writeAudit } from "./audit-log.ts";
import { sendCsv } from "./send-csv.ts";

const tags = ["administration"];

/** The records of administration. */
export function auditRoutes(app: RouteApp, deps: AdministrationDeps): void {
  const { database } = deps;
  app.get(
    administrationPaths.audit,
    {
      config: { role: "administrator" },
      schema: {
        summary: "List the records of administration, newest first, by page",
        tags,
        querystring: auditQuerySchema,
        response: { 200: auditListSchema },
      },
    },
    (request) => listAudit(database, request.query),
  );
  app.get(
    administrationPaths.auditCsv,
    {
      config: { role: "administrator", proof: true },
      schema: { summary: "Export the records of administration as CSV", tags, querystring: auditCsvQuerySchema },
    },
    (request, reply) => sendCsv(deps, { request, reply, name: "audit" }, writeAudit(database, request.query)),
  );
  app.get(
    administrationPaths.ownAudit,
    {
      schema: {
        summary: "List what administrators did to the account, newest first, by page",
        tags: ["accounts"],
        querystring: ownAuditQuerySchema,
        response: { 200: ownAuditSchema },
      },
    },
    (request) => listOwnAudit(database, identityOf(request).userId, request.query.before),
  );
}
