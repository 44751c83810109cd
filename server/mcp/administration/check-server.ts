import {
  LISTED_TOOLS_MAX,
  type McpServerCheck,
  type McpServerCheckRequest,
} from "#contract/administration/mcp-servers.ts";
import { SECOND } from "#contract/limits.ts";
import type { McpFault } from "#contract/mcp/server-failures.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AbortScope } from "../../concurrency/abort-scope.ts";
import type { Config } from "../../config/config.ts";
import { isLoopbackHost } from "../../config/loopback.ts";
import { newId } from "../../database/new-id.ts";
import type { McpServerRow } from "../../database/tables/mcp-tables.ts";
import { Failure } from "../../failure.ts";
import type { McpListing } from "../mcp-clients.ts";
import { decryptHeaders } from "../mcp-secrets.ts";
import { addressOf, type McpServer, shownHostOf } from "../mcp-server.ts";
import { findInstallationServer } from "../mcp-server-store.ts";
import { type ChangeServersDeps, checkedHeaders, refused, serverUrlOf } from "./change-servers.ts";
import { describeTools } from "./describe-servers.ts";

export type CheckServerDeps = ChangeServersDeps & { config: Pick<Config, "isInContainer"> };

/** Time in which a server lists its tools. */
const LIST_MS = 20 * SECOND;

/** `userId`: the owner. `leaving`: aborts the request to the server. */
type Asking = { userId: string; leaving: AbortSignal };

/**
 * Asks a server for its tools without storing them, and records that.
 * @throws Failure `not-found`; `invalid-input` for values that cannot be saved; the reason of `leaving`
 */
export async function checkServer(
  deps: CheckServerDeps,
  request: McpServerCheckRequest,
  { userId, leaving }: Asking,
): Promise<McpServerCheck> {
  const { database, clock, mcp } = deps;
  const server = await findChecked(deps, request);
  const check = await boundedCheck(deps, server, leaving, (signal) => mcp.clients.inspect(server, userId, signal));
  // A server that is not saved has a key of its own, whose connection nothing else uses.
  if (request.url !== undefined) await mcp.clients.close(server.key);
  const after = {
    ...(server.slug !== "" && { server: server.slug }),
    name: server.name,
    origin: server.transport.kind === "http" ? new URL(server.transport.url).origin : null,
    ...(check.ok ? { ok: true } : { ok: false, code: check.code }),
  };
  await database
    .transaction()
    .execute((db) =>
      recordAudit(db, { kind: "mcp-server-tested", at: clock.now(), actor: userId, subject: null, after }),
    );
  return check;
}

/** Asks a stored server for its tools and stores the answer. @throws Failure `not-found`; the reason of `leaving` */
export async function refreshServer(
  deps: CheckServerDeps,
  slug: string,
  { userId, leaving }: Asking,
): Promise<McpServerCheck> {
  const server = await findStored(deps, slug);
  return boundedCheck(deps, server, leaving, (signal) => deps.mcp.clients.refresh(server, userId, signal));
}

async function boundedCheck(
  { config }: Pick<CheckServerDeps, "config">,
  server: McpServer,
  leaving: AbortSignal,
  list: (signal: AbortSignal) => Promise<McpListing>,
): Promise<McpServerCheck> {
  using scope = new AbortScope({ parents: [leaving], ms: LIST_MS });
  const host = shownHostOf(server);
  try {
    return describeListing(config, server, await list(scope.signal));
  } catch (error) {
    if (leaving.aborted || !scope.signal.aborted) throw error;
    return { ok: false, host, code: "unreachable", reason: "slow" };
  }
}

/** Faults by the codes of `OutboundRefusal`; its reasons and others are faults themselves. */
const faults: Partial<Record<string, McpFault>> = {
  "too-slow": "slow",
  "redirect-refused": "redirect",
  "too-many-redirects": "redirect",
};

/** Faults of a loopback address that the own container causes. */
const ofOwnContainer: ReadonlySet<string> = new Set(["refused", "slow"]);

function describeListing(
  { isInContainer }: CheckServerDeps["config"],
  server: McpServer,
  listing: McpListing,
): McpServerCheck {
  const host = shownHostOf(server);
  if (listing.ok) {
    const { revision, tools, leftOut } = listing;
    return { ok: true, host, revision, ...describeTools(tools), leftOut: leftOut.slice(0, LISTED_TOOLS_MAX) };
  }
  const { code, status } = listing;
  const reason = listing.reason === undefined ? undefined : (faults[listing.reason] ?? listing.reason);
  const isLoopback = host !== "" && isLoopbackHost(new URL(addressOf(server)).hostname);
  return {
    ok: false,
    host,
    code,
    ...(reason !== undefined && { reason }),
    ...(status !== undefined && { status }),
    ...(isInContainer && isLoopback && ofOwnContainer.has(reason ?? "") && { isOwnContainer: true }),
  };
}

/** Returns a server of the file or of owners. @throws Failure `not-found`; `invalid-input` if its headers do not open */
async function findStored({ database, mcp }: ChangeServersDeps, slug: string): Promise<McpServer> {
  const fixed = mcp.servers.fixed.find((server) => server.slug === slug);
  if (fixed) return fixed;
  const row = await findInstallationServer(database, slug);
  if (!row) throw new Failure("not-found");
  return mcp.servers.open(row) ?? refuseUnreadable();
}

async function findChecked(deps: CheckServerDeps, { slug, url, headers }: McpServerCheckRequest): Promise<McpServer> {
  if (url === undefined) return findStored(deps, slug ?? "");
  const row = slug === undefined ? undefined : await findInstallationServer(deps.database, slug);
  if (slug !== undefined && !row) throw new Failure("not-found");
  const entered = serverUrlOf(url);
  return {
    key: `unsaved:${newId()}`,
    slug: row?.slug ?? "",
    name: row?.name ?? "",
    source: "owner",
    transport: {
      kind: "http",
      url: entered,
      headers: headers ? checkedHeaders(headers) : stayingHeaders(deps, row, entered),
    },
    isTrusted: false,
    chosenTools: null,
  };
}

/** Returns the stored headers of a server for an address at the same origin. @throws Failure `invalid-input` at another */
function stayingHeaders({ cipher }: CheckServerDeps, row: McpServerRow | undefined, url: string) {
  if (!row || row.headers_encrypted === null) return {};
  if (new URL(row.url).origin !== new URL(url).origin) throw refused({ field: "headers", rule: "required" });
  return decryptHeaders(cipher, row) ?? refuseUnreadable();
}

function refuseUnreadable(): never {
  throw refused({ field: "headers", rule: "required" });
}
