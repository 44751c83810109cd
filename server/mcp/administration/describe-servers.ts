import * as z from "zod/mini";
import {
  type AdministeredMcpServer,
  type AdministeredMcpServers,
  LISTED_TOOLS_MAX,
  MCP_HEADERS_MAX,
  OWN_HOSTS_MAX,
  TOOL_DESCRIPTION_MAX,
} from "#contract/administration/mcp-servers.ts";
import { DAY } from "#contract/limits.ts";
import { listGroupNames } from "../../accounts/membership/group-store.ts";
import type { Clock } from "../../concurrency/clock.ts";
import type { FileMcpServer } from "../../config/mcp-file.ts";
import { endOfSecret, type SecretCipher } from "../../config/secret-cipher.ts";
import type { Database, Queryable } from "../../database/schema.ts";
import type { McpServerRow, McpServerStateRow } from "../../database/tables/mcp-tables.ts";
import { Failure } from "../../failure.ts";
import { decryptHeaders } from "../mcp-secrets.ts";
import { findInstallationServer, listInstallationServers, listOwnAddresses, sumMcpCalls } from "../mcp-server-store.ts";
import { findStates, serverStateOf } from "../mcp-tools.ts";
import { parseIds, type ServerDirectory } from "../server-directory.ts";
import { effectOf, parseTools, type StoredTool } from "../stored-tool.ts";

export type DescribeServersDeps = {
  clock: Clock;
  database: Database;
  cipher: SecretCipher;
  mcp: { servers: ServerDirectory };
};

/** Days over which calls are summed. */
export const SUMMED_DAYS = 30;

/** `userId`: whose sign-ins decide on the states. `isOwner`: sees the queries of addresses, which may contain keys. */
type Reader = { userId: string; isOwner: boolean };

/** Returns all servers of the installation, and the hosts of people's own ones. */
export async function describeServers(deps: DescribeServersDeps, reader: Reader): Promise<AdministeredMcpServers> {
  const { database, mcp } = deps;
  const rows = await listInstallationServers(database);
  const facts = await readFacts(deps, [...mcp.servers.fixed, ...rows.map(({ id: key }) => ({ key }))], reader);
  const groupNames = await listGroupNames(
    database,
    rows.flatMap(({ groups }) => parseIds(groups) ?? []),
  );
  return {
    servers: [
      ...mcp.servers.fixed.map((server) => toFixed(server, facts, reader)),
      ...rows.map((row) => toStored(deps, row, { facts, groupNames, reader })),
    ],
    ownHosts: await describeOwnHosts(database, facts),
  };
}

/** Returns a server of owners, or of the file. @throws Failure `not-found` */
export async function describeServer(
  deps: DescribeServersDeps,
  slug: string,
  reader: Reader,
): Promise<AdministeredMcpServer> {
  const fixed = deps.mcp.servers.fixed.find((server) => server.slug === slug);
  if (fixed) return toFixed(fixed, await readFacts(deps, [fixed], reader), reader);
  const row = await findInstallationServer(deps.database, slug);
  if (!row) throw new Failure("not-found");
  const facts = await readFacts(deps, [{ key: row.id }], reader);
  const groupNames = await listGroupNames(deps.database, parseIds(row.groups) ?? []);
  return toStored(deps, row, { facts, groupNames, reader });
}

type Facts = {
  states: ReadonlyMap<string, McpServerStateRow>;
  calls: ReadonlyMap<string, { calls: number; failures: number }>;
};

async function readFacts(
  { clock, database }: DescribeServersDeps,
  servers: readonly { key: string }[],
  { userId }: Reader,
): Promise<Facts> {
  const sums = await sumMcpCalls(database, Math.floor(clock.now() / DAY) - SUMMED_DAYS + 1);
  return {
    states: await findStates(database, servers, userId),
    calls: new Map(sums.map(({ server, calls, failures }) => [server, { calls, failures }])),
  };
}

function toFixed(server: FileMcpServer, { states, calls }: Facts, reader: Reader): AdministeredMcpServer {
  const { key, slug, name, transport, isTrusted, groups } = server;
  const isHttp = transport.kind === "http";
  const headers = isHttp ? Object.keys(transport.headers).slice(0, MCP_HEADERS_MAX) : [];
  const chosenTools = server.chosenTools === null ? null : server.chosenTools.slice(0, LISTED_TOOLS_MAX);
  return {
    slug,
    name,
    isTrusted,
    chosenTools,
    url: isHttp ? shownUrl(transport.url, reader) : null,
    isFixed: true,
    isOverridden: false,
    isEnabled: true,
    headers: headers.map((header) => ({ name: header, end: "" })),
    isUnreadable: false,
    groups: groups === null ? null : groups.map((group) => ({ name: group })),
    ...describeState(states.get(key), server.chosenTools),
    ...(calls.get(key) ?? noCalls),
  };
}

const noCalls = { calls: 0, failures: 0 };

type StoredFacts = { facts: Facts; groupNames: readonly { id: string; name: string }[]; reader: Reader };

function toStored(
  { cipher, mcp }: DescribeServersDeps,
  row: McpServerRow,
  { facts: { states, calls }, groupNames, reader }: StoredFacts,
): AdministeredMcpServer {
  const { id, slug, name, url } = row;
  const headers = decryptHeaders(cipher, row);
  const groups = parseIds(row.groups);
  const chosenTools = parseIds(row.chosen_tools);
  return {
    slug,
    name,
    chosenTools,
    url: shownUrl(url, reader),
    isFixed: false,
    isOverridden: mcp.servers.fixed.some((fixed) => fixed.slug === slug),
    isEnabled: row.is_enabled === 1,
    headers: Object.entries(headers ?? {}).map(([header, value]) => ({ name: header, end: endOfSecret(value) })),
    isUnreadable: headers === undefined,
    groups: groups === null ? null : groups.map((group) => nameGroup(group, groupNames)),
    isTrusted: row.is_trusted === 1,
    ...describeState(states.get(id), chosenTools),
    ...(calls.get(id) ?? noCalls),
  };
}

function nameGroup(id: string, names: StoredFacts["groupNames"]) {
  const named = names.find((each) => each.id === id);
  return { id, ...(named && { name: named.name }) };
}

function shownUrl(url: string, { isOwner }: Reader): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${isOwner ? search : ""}`;
}

function describeState(state: McpServerStateRow | undefined, chosen: readonly string[] | null) {
  const tools = parseTools(state?.tools ?? null);
  const offered = chosen === null ? tools : tools.filter(({ name }) => chosen.includes(name));
  const { listed_at: listedAt, failure, failed_at: failedAt } = state ?? {};
  const isKnown = state !== undefined && (state.tools !== null || failure !== null || state.needs_sign_in === 1);
  const revision = revisionOf(state?.era);
  return {
    state: isKnown ? serverStateOf(state, offered.length) : ("unknown" as const),
    ...(failure && { failure: { code: failure, ...(failedAt && { at: failedAt }) } }),
    ...(revision !== undefined && { revision }),
    ...describeTools(tools),
    ...(listedAt && { listedAt }),
  };
}

const eraSchema = z.object({ discover: z.object({ supportedVersions: z.array(z.string()) }) });

/** Returns the newest revision of the protocol that a server has stated; older ones are not stored with their revision. */
function revisionOf(era: string | null | undefined): string | undefined {
  if (!era) return undefined;
  const { data } = z.safeParse(eraSchema, JSON.parse(era));
  return data?.discover.supportedVersions.toSorted().at(-1);
}

/** Returns tools as lists show them. */
export function describeTools(tools: readonly StoredTool[]) {
  const shown = tools.slice(0, LISTED_TOOLS_MAX).map((tool) => ({
    name: tool.name,
    ...(tool.title !== undefined && { title: tool.title }),
    description: tool.description.slice(0, TOOL_DESCRIPTION_MAX).toWellFormed(),
    effect: effectOf(tool),
  }));
  return { tools: shown, unlistedTools: tools.length - shown.length };
}

/** Sums people's own servers by host. */
async function describeOwnHosts(db: Queryable, { calls }: Facts): Promise<AdministeredMcpServers["ownHosts"]> {
  const hosts = new Map<string, { people: Set<string>; calls: number }>();
  for (const { id, url, userId } of await listOwnAddresses(db)) {
    const { host } = new URL(url);
    const sum = hosts.get(host) ?? { people: new Set<string>(), calls: 0 };
    sum.people.add(userId);
    sum.calls += calls.get(id)?.calls ?? 0;
    hosts.set(host, sum);
  }
  return [...hosts]
    .map(([host, sum]) => ({ host, people: sum.people.size, calls: sum.calls }))
    .toSorted((a, b) => b.people - a.people || b.calls - a.calls)
    .slice(0, OWN_HOSTS_MAX);
}
