import {
  chooseServerSlug,
  MCP_SERVERS_MAX,
  type McpHeader,
  type McpServerChange,
  mcpHeaderProblem,
  type NewMcpServer,
} from "#contract/administration/mcp-servers.ts";
import { findGroup } from "../../accounts/membership/group-store.ts";
import { type ChangeDeps, type Changer, changeAsRole, type OwnChange } from "../../accounts/trust/change-as.ts";
import { holdAdministration, recordAudit } from "../../audit/record-audit.ts";
import type { SecretCipher } from "../../config/secret-cipher.ts";
import { newId } from "../../database/new-id.ts";
import type { Queryable } from "../../database/schema.ts";
import type { McpServerRow } from "../../database/tables/mcp-tables.ts";
import { Failure, type Issue } from "../../failure.ts";
import type { McpClients } from "../mcp-clients.ts";
import { decryptHeaders, encryptMcpSecret } from "../mcp-secrets.ts";
import {
  deleteApprovalsOf,
  deleteServer,
  findInstallationServer,
  forgetAddress,
  insertServer,
  listInstallationServers,
  updateServer,
} from "../mcp-server-store.ts";
import type { ServerDirectory } from "../server-directory.ts";
import { canonicalServerUrl } from "../server-url.ts";

export type ChangeServersDeps = ChangeDeps & {
  cipher: SecretCipher;
  mcp: { servers: ServerDirectory; clients: McpClients };
};

type OwnerSession = Changer["identity"];
type Work<T> = (change: OwnChange, by: { at: number; actor: string }) => Promise<T>;

/** Runs a change as an owner. Servers are read from the database by each use, so that it takes effect with the commit. */
function changeAsOwner<T>(deps: ChangeServersDeps, session: OwnerSession, work: Work<T>): Promise<T> {
  return changeAsRole(deps, session, "owner", async (change, by) => {
    await holdAdministration(change.db);
    return work(change, by);
  });
}

/**
 * Adds a server. @returns its slug
 * @throws Failure `invalid-input` for an address or headers that cannot be a server's, for a group that does not exist, or
 * beyond {@link MCP_SERVERS_MAX}; those of {@link changeAsRole}
 */
export async function addServer(
  deps: ChangeServersDeps,
  request: NewMcpServer,
  session: OwnerSession,
): Promise<string> {
  const { name, isTrusted = false, isEnabled = true, groups = null, chosenTools = null } = request;
  const url = serverUrlOf(request.url);
  const { fixed } = deps.mcp.servers;
  const id = newId();
  const headers_encrypted = encryptHeaders(deps.cipher, id, request.headers ?? []);
  return changeAsOwner(deps, session, async ({ db }, { at, actor }) => {
    const others = await listInstallationServers(db);
    if (others.length >= MCP_SERVERS_MAX) throw new Failure("invalid-input");
    await refuseUnknownGroups(db, groups);
    const slugs = [...fixed, ...others].map(({ slug }) => slug);
    const row: McpServerRow = {
      id,
      user_id: null,
      slug: chooseServerSlug(name, slugs),
      name,
      url,
      headers_encrypted,
      groups: jsonOf(groups),
      is_trusted: isTrusted ? 1 : 0,
      is_enabled: isEnabled ? 1 : 0,
      chosen_tools: jsonOf(chosenTools),
      created_at: at,
      updated_at: at,
    };
    await insertServer(db, row);
    const after = recordedOf(deps.cipher, row);
    await recordAudit(db, { kind: "mcp-server-added", at, actor, subject: null, after });
    return row.slug;
  });
}

/**
 * Changes a server. Absent fields stay as they are. At another address, or with other headers, what was found before is
 * removed, and so are the sign-ins of people: their tokens are for the former address.
 * @returns whether it is to be asked for its tools again
 * @throws Failure `not-found`; `invalid-input` also if headers would be sent to another origin; those of {@link addServer}
 */
export async function changeServer(
  deps: ChangeServersDeps,
  slug: string,
  request: McpServerChange,
  session: OwnerSession,
): Promise<{ isMoved: boolean; isSwitchedOn: boolean }> {
  const { cipher, mcp } = deps;
  const changed = await changeAsOwner(deps, session, async ({ db }, { at, actor }) => {
    const before = await findInstallationServer(db, slug);
    if (!before) throw new Failure("not-found");
    if (request.groups !== undefined) await refuseUnknownGroups(db, request.groups);
    const change = toChange(cipher, before, request, at);
    await updateServer(db, before.id, change);
    const isMoved = change.url !== before.url || request.headers !== undefined;
    if (isMoved) await forgetAddress(db, before.id);
    await recordAudit(db, {
      kind: "mcp-server-changed",
      at,
      actor,
      subject: null,
      before: recordedOf(cipher, before),
      after: { ...recordedOf(cipher, { ...before, ...change }), hasNewHeaders: request.headers !== undefined },
    });
    return { id: before.id, isMoved, isSwitchedOn: change.is_enabled > before.is_enabled };
  });
  const { id, isMoved, isSwitchedOn } = changed;
  if (isMoved || request.isEnabled === false) await mcp.clients.close(id);
  return { isMoved, isSwitchedOn };
}

function toChange(cipher: SecretCipher, before: McpServerRow, request: McpServerChange, at: number) {
  const { name, headers, isTrusted, isEnabled, groups, chosenTools } = request;
  const url = request.url === undefined ? before.url : serverUrlOf(request.url);
  const isElsewhere = new URL(url).origin !== new URL(before.url).origin;
  if (isElsewhere && before.headers_encrypted !== null && headers === undefined) {
    throw refused({ field: "headers", rule: "required" });
  }
  return {
    name: name ?? before.name,
    url,
    headers_encrypted: headers === undefined ? before.headers_encrypted : encryptHeaders(cipher, before.id, headers),
    groups: groups === undefined ? before.groups : jsonOf(groups),
    is_trusted: isTrusted === undefined ? before.is_trusted : isTrusted ? 1 : 0,
    is_enabled: isEnabled === undefined ? before.is_enabled : isEnabled ? 1 : 0,
    chosen_tools: chosenTools === undefined ? before.chosen_tools : jsonOf(chosenTools),
    updated_at: at,
  };
}

/**
 * Removes a server with its tools, the sign-ins of people to it, and what they have approved of it.
 * @throws Failure `not-found`; those of {@link changeAsRole}
 */
export async function removeServer(deps: ChangeServersDeps, slug: string, session: OwnerSession): Promise<void> {
  const id = await changeAsOwner(deps, session, async ({ db }, { at, actor }) => {
    const before = await findInstallationServer(db, slug);
    if (!before) throw new Failure("not-found");
    await deleteServer(db, before.id);
    await deleteApprovalsOf(db, slug);
    const recorded = recordedOf(deps.cipher, before);
    await recordAudit(db, { kind: "mcp-server-removed", at, actor, subject: null, before: recorded });
    return before.id;
  });
  await deps.mcp.clients.close(id);
}

/** Returns headers as requests have them. @throws Failure `invalid-input` */
export function checkedHeaders(headers: readonly McpHeader[]): Record<string, string> {
  const problem = mcpHeaderProblem(headers);
  if (problem) throw refused({ field: "headers", rule: problem.rule });
  return Object.fromEntries(headers.map(({ name, value }) => [name, value]));
}

/** @throws Failure `invalid-input` */
export function serverUrlOf(entered: string): string {
  const url = canonicalServerUrl(entered);
  if (url === undefined) throw refused({ field: "url", rule: "invalid" });
  return url;
}

export const refused = (issue: Issue) => new Failure("invalid-input", { issues: [issue] });

function encryptHeaders(cipher: SecretCipher, id: string, headers: readonly McpHeader[]): string | null {
  const checked = checkedHeaders(headers);
  return headers.length === 0 ? null : encryptMcpSecret(cipher, "headers", id, JSON.stringify(checked));
}

const jsonOf = (words: readonly string[] | null) => (words === null ? null : JSON.stringify([...new Set(words)]));

async function refuseUnknownGroups(db: Queryable, groups: readonly string[] | null): Promise<void> {
  for (const id of new Set(groups)) {
    if (!(await findGroup(db, id))) throw refused({ field: "groups", rule: "invalid" });
  }
}

/** Returns the values that a record has: of the address its origin, of the headers their names. */
function recordedOf(cipher: SecretCipher, row: McpServerRow) {
  const headers = decryptHeaders(cipher, row);
  const groups: unknown = JSON.parse(row.groups ?? "null");
  const chosen: unknown = JSON.parse(row.chosen_tools ?? "null");
  return {
    server: row.slug,
    name: row.name,
    origin: new URL(row.url).origin,
    headers: headers ? Object.keys(headers) : null,
    serverGroups: Array.isArray(groups) ? groups.map(String) : null,
    isTrusted: row.is_trusted === 1,
    isEnabled: row.is_enabled === 1,
    chosenTools: Array.isArray(chosen) ? chosen.length : null,
  };
}
