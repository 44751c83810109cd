/** MCP servers of the installation, which owners manage. */

import * as z from "zod/mini";
import { toolEffects } from "../conversation/tools.ts";
import { HEADER_NAME } from "../header-name.ts";
import { OWN_SLUG_PREFIX, parleyGroups } from "../mcp/group-slugs.ts";
import { nameText } from "../text/name-text.ts";
import { rule } from "../text/validation.ts";
import { looseText, wellFormed } from "../text/well-formed.ts";
import { timeField } from "../times.ts";
import { chooseSlug } from "./choose-slug.ts";
import { GROUPS_MAX } from "./groups.ts";

/** Servers that owners add. */
export const MCP_SERVERS_MAX = 50;
/** In UTF-16 units. */
export const MCP_SERVER_NAME_MAX = 60;
export const MCP_HEADERS_MAX = 20;
/** Tools of a server that an answer lists, and that an owner can choose. */
export const LISTED_TOOLS_MAX = 500;
/** UTF-16 units of a tool's description in an answer. */
export const TOOL_DESCRIPTION_MAX = 300;
/** Hosts of people's own servers that an answer lists. */
export const OWN_HOSTS_MAX = 100;

const URL_MAX = 2000;
const HEADER_MAX = 4096;
const TOOL_NAME_MAX = 256;
/** Servers of the operator's file in an answer. */
const FIXED_SERVERS_MAX = 100;

/** Returns the slug that a new server of an owner gets. @param others slugs of the present servers */
export const chooseServerSlug = (name: string, others: readonly string[]): string =>
  chooseSlug(name, {
    taken: [...parleyGroups, ...others],
    fallback: "mcp",
    isAllowed: (slug) => /^[a-z]/.test(slug) && !slug.startsWith(OWN_SLUG_PREFIX),
  });

const invalid = { error: rule("invalid") };

const headerField = z.object({
  name: z.string(invalid).check(z.regex(HEADER_NAME, invalid)),
  value: z
    .string(invalid)
    .check(z.trim(), z.minLength(1, invalid), z.maxLength(HEADER_MAX, invalid), z.regex(/^[\t\x20-\x7e]*$/, invalid)),
});
export type McpHeader = z.infer<typeof headerField>;

/** Headers of one hop (RFC 9110, 7.6.1), and those that the protocol or its transport sets. */
const reservedHeaders: ReadonlySet<string> = new Set([
  ...["connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "http2-settings", "expect"],
  ...["host", "accept", "accept-encoding", "last-event-id", "set-cookie", "set-cookie2"],
]);
const reservedPrefixes = ["content-", "mcp-", "proxy-"];

/** `reserved`: a name that the client sets itself. `repeated`: another header has the name. */
export type McpHeaderProblem = { rule: "reserved" | "repeated"; name: string };

/** Returns the first header that a server must not have. */
export function mcpHeaderProblem(headers: readonly McpHeader[]): McpHeaderProblem | undefined {
  const seen = new Set<string>();
  for (const header of headers) {
    const name = header.name.toLowerCase();
    if (reservedHeaders.has(name) || reservedPrefixes.some((prefix) => name.startsWith(prefix))) {
      return { rule: "reserved", name: header.name };
    }
    if (seen.has(name)) return { rule: "repeated", name: header.name };
    seen.add(name);
  }
  return undefined;
}

const fields = {
  name: nameText(MCP_SERVER_NAME_MAX),
  url: z.string(invalid).check(z.trim(), z.minLength(1, { error: rule("required") }), z.maxLength(URL_MAX, invalid)),
  headers: z.array(headerField).check(z.maxLength(MCP_HEADERS_MAX, invalid)),
  /** Ids of the groups whose members may use it; null: everybody. */
  groups: z.nullable(
    z.array(looseText(64)).check(z.minLength(1, { error: rule("required") }), z.maxLength(GROUPS_MAX, invalid)),
  ),
  isTrusted: z.boolean(),
  isEnabled: z.boolean(),
  /** Names of the tools that are offered; null: all. */
  chosenTools: z.nullable(z.array(looseText(TOOL_NAME_MAX)).check(z.maxLength(LISTED_TOOLS_MAX, invalid))),
};

/** All fields but name and address have a default: no headers, everybody, not trusted, enabled, all tools. */
export const newMcpServerSchema = z.extend(z.partial(z.object(fields)), { name: fields.name, url: fields.url });
export type NewMcpServer = z.infer<typeof newMcpServerSchema>;

/** Partial change. Absent headers stay, which is possible at the same origin only. */
export const changeMcpServerSchema = z.partial(z.object(fields));
export type McpServerChange = z.infer<typeof changeMcpServerSchema>;

/** `id`: a slug of any form; a malformed one is answered with "not found", like an unknown one. */
export const mcpServerParamsSchema = z.object({ id: z.string().check(z.overwrite(wellFormed)) });

/** `description`: its beginning. */
const listedToolSchema = z.object({
  name: z.string(),
  title: z.optional(z.string()),
  description: z.string(),
  effect: z.enum(toolEffects),
});
export type AdministeredTool = z.infer<typeof listedToolSchema>;
const listedTools = () => z.array(listedToolSchema).check(z.maxLength(LISTED_TOOLS_MAX));

/**
 * What a server was last found to be. `unknown`: it was never asked for its tools. The others: as of chats, a
 * `ToolServerState`.
 */
export const administeredServerStates = ["unknown", "ready", "connect", "away", "empty"] as const;

export const administeredMcpServerSchema = z.object({
  slug: z.string(),
  name: z.string(),
  /** Null: a program beside Parley. Only owners see its query. */
  url: z.nullable(z.string()),
  /** Of the operator's file: it cannot be changed in the browser. */
  isFixed: z.boolean(),
  /** A server of the file has its slug, so that people cannot use this one. */
  isOverridden: z.boolean(),
  /** `end`: last characters of the value; empty where it is short or in the file. Of the file: the first ones. */
  headers: z.array(z.object({ name: z.string(), end: z.string() })).check(z.maxLength(MCP_HEADERS_MAX)),
  /** The server cannot decrypt the headers, which must be entered again. */
  isUnreadable: z.boolean(),
  /** Null: everybody. A group without a name was deleted; those of the file have no ids. */
  groups: z.nullable(
    z.array(z.object({ id: z.optional(z.string()), name: z.optional(z.string()) })).check(z.maxLength(GROUPS_MAX)),
  ),
  isTrusted: z.boolean(),
  isEnabled: z.boolean(),
  chosenTools: z.nullable(z.array(z.string()).check(z.maxLength(LISTED_TOOLS_MAX))),
  state: z.enum(administeredServerStates),
  /** The last failure, of the state `away`. `code`: a `McpFailure`. */
  failure: z.optional(z.object({ code: z.string(), at: z.optional(timeField()) })),
  /** Of the protocol; absent: not known. */
  revision: z.optional(z.string()),
  tools: listedTools(),
  /** Tools over {@link LISTED_TOOLS_MAX}. */
  unlistedTools: z.int(),
  listedAt: z.optional(timeField()),
  /** Of 30 days, of all people. */
  calls: z.int(),
  failures: z.int(),
});
export type AdministeredMcpServer = z.infer<typeof administeredMcpServerSchema>;

/** Fixed servers first. `ownHosts`: of people's own servers, those of most people first, with the calls of 30 days. */
export const administeredMcpServersSchema = z.object({
  servers: z.array(administeredMcpServerSchema).check(z.maxLength(MCP_SERVERS_MAX + FIXED_SERVERS_MAX)),
  ownHosts: z.array(z.object({ host: z.string(), people: z.int(), calls: z.int() })).check(z.maxLength(OWN_HOSTS_MAX)),
});
export type AdministeredMcpServers = z.infer<typeof administeredMcpServersSchema>;

/**
 * A server of the list (`slug`), or values that are not saved (`url`). With both, headers that are absent are those of
 * the stored server, which is possible at the same origin only.
 */
export const mcpServerCheckRequestSchema = z
  .object({ slug: z.optional(looseText(64)), url: z.optional(fields.url), headers: z.optional(fields.headers) })
  .check(
    z.refine(({ slug, url }) => slug !== undefined || url !== undefined, { error: rule("required"), path: ["url"] }),
  );
export type McpServerCheckRequest = z.infer<typeof mcpServerCheckRequestSchema>;

/**
 * What a server has answered. `leftOut`: names of tools that cannot be offered. `code`: a `McpFailure`; `reason`:
 * of `unreachable`, a `McpFault`; a newer server may send others. `host`: empty for a program. `isOwnContainer`:
 * it is a loopback address, and Parley runs in a container.
 */
export const mcpServerCheckSchema = z.union([
  z.object({
    ok: z.literal(true),
    host: z.string(),
    revision: z.string(),
    tools: listedTools(),
    unlistedTools: z.int(),
    leftOut: z.array(z.string()).check(z.maxLength(LISTED_TOOLS_MAX)),
  }),
  z.object({
    ok: z.literal(false),
    host: z.string(),
    code: z.string(),
    reason: z.optional(z.string()),
    status: z.optional(z.int()),
    isOwnContainer: z.optional(z.literal(true)),
  }),
]);
export type McpServerCheck = z.infer<typeof mcpServerCheckSchema>;

/** A server after it was saved. `check`: null if it was not asked for its tools. */
export const savedMcpServerSchema = z.object({
  server: administeredMcpServerSchema,
  check: z.nullable(mcpServerCheckSchema),
});
export type SavedMcpServer = z.infer<typeof savedMcpServerSchema>;
