import * as z from "zod/mini";
import { HEADER_NAME } from "#contract/header-name.ts";
import { OWN_SLUG_PREFIX, parleyGroups } from "#contract/mcp/group-slugs.ts";
import { parseJson } from "../text/parse-json.ts";
import type { ReadSecretFile } from "./secret-files.ts";

/** Streamable HTTP. `headers`: of each request; they may contain keys. */
export type HttpTransport = { readonly kind: "http"; readonly url: string; readonly headers: Record<string, string> };

/** A program beside Parley, without a shell. `env`: beside the few variables that every program needs. */
export type StdioTransport = {
  readonly kind: "stdio";
  readonly command: readonly [string, ...string[]];
  readonly env: Record<string, string>;
};

/**
 * A server of `MCP_FILE`. `groups`: names of the groups whose members may use it; null: everybody. The others: as of any
 * server of tools.
 */
export type FileMcpServer = {
  readonly key: string;
  readonly slug: string;
  readonly name: string;
  readonly source: "file";
  readonly transport: HttpTransport | StdioTransport;
  readonly isTrusted: boolean;
  readonly chosenTools: readonly string[] | null;
  readonly groups: readonly string[] | null;
};

const SERVERS_MAX = 100;
const SLUG = /^[a-z][a-z0-9-]{0,39}$/;
const TAKEN_SLUGS: ReadonlySet<string> = new Set(parleyGroups);
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,100}$/;

const text = (max: number) =>
  z
    .string({ error: "must be a text" })
    .check(
      z.minLength(1, { error: "must not be empty" }),
      z.maxLength(max, { error: `must be at most ${max} characters long` }),
    );
const list = (max: number) =>
  z
    .array(text(200), { error: "must be a list of texts" })
    .check(z.maxLength(max, { error: `must have at most ${max} entries` }));
/** A literal, or the name of a variable of the environment. */
const value = z.union([text(8000), z.strictObject({ env: text(100) })], {
  error: 'must be a text or {"env": "NAME"}',
});
const values = (name: RegExp) =>
  z.record(z.string().check(z.regex(name, { error: "is no valid name" })), value, { error: "must be an object" });

const serverSchema = z.strictObject(
  {
    name: text(100),
    slug: z.optional(
      z.string({ error: "must be a text" }).check(
        z.regex(SLUG, { error: "must be at most 40 lower-case letters, digits and hyphens, with a letter first" }),
        z.refine((slug) => !TAKEN_SLUGS.has(slug), { error: "is the name of tools of Parley" }),
        z.refine((slug) => !slug.startsWith(OWN_SLUG_PREFIX), {
          error: "must not begin with my-, as those of people do",
        }),
      ),
    ),
    url: z.optional(
      z
        .string({ error: "must be a text" })
        .check(z.refine(isServerUrl, { error: "must be an address of http or https, without a password" })),
    ),
    headers: z.optional(values(HEADER_NAME)),
    command: z.optional(list(100).check(z.minLength(1, { error: "must name a program" }))),
    env: z.optional(values(VARIABLE)),
    trusted: z.optional(z.boolean({ error: "must be true or false" })),
    groups: z.optional(list(100)),
    tools: z.optional(list(1000)),
  },
  {
    error: (issue) =>
      issue.code === "unrecognized_keys" ? `has the unknown field ${issue.keys.join(", ")}` : "must be an object",
  },
);
type Entry = z.infer<typeof serverSchema>;
type Values = Record<string, z.infer<typeof value>>;

const fileSchema = z.strictObject(
  {
    servers: z
      .array(z.unknown(), { error: "must be a list" })
      .check(z.maxLength(SERVERS_MAX, { error: `must have at most ${SERVERS_MAX} entries` })),
  },
  { error: 'must be an object with the field "servers"' },
);

type Environment = Readonly<Record<string, string | undefined>>;

export type ParsedMcpFile = { servers: FileMcpServer[]; problems: string[] };

/** Reads the servers of the operator. Without a file there are none. */
export function readMcpFile(path: string | undefined, env: Environment, read: ReadSecretFile): ParsedMcpFile {
  if (path === undefined) return { servers: [], problems: [] };
  try {
    const { servers, problems } = parseMcpFile(read(path), env);
    return { servers, problems: problems.map((problem) => `MCP_FILE ${path}: ${problem}`) };
  } catch {
    return { servers: [], problems: [`MCP_FILE ${path} cannot be read`] };
  }
}

/**
 * Parses an `MCP_FILE`. Values of the environment replace the objects that name them.
 * @returns the problems of all entries; they contain no values of the environment
 */
export function parseMcpFile(json: string, env: Environment): ParsedMcpFile {
  const file = fileSchema.safeParse(parseJson(json));
  if (!file.success) return { servers: [], problems: file.error.issues.map(sentenceOf) };
  const problems: string[] = [];
  const servers: FileMcpServer[] = [];
  for (const [index, entry] of file.data.servers.entries()) {
    const parsed = serverSchema.safeParse(entry);
    const found = parsed.success ? toServer(parsed.data, env) : { problems: parsed.error.issues.map(sentenceOf) };
    problems.push(...found.problems.map((problem) => `servers[${index}] ${problem}`));
    if (!("server" in found)) continue;
    const isTaken = servers.some(({ slug }) => slug === found.server.slug);
    if (isTaken) problems.push(`servers[${index}] has the slug ${found.server.slug} of another server`);
    servers.push(found.server);
  }
  return { servers, problems };
}

function toServer(
  entry: Entry,
  env: Environment,
): { server: FileMcpServer; problems: string[] } | { problems: string[] } {
  const { name, slug = slugOf(name), trusted = false, groups = null, tools = null } = entry;
  const problems: string[] = [];
  const resolve = (field: string, given: Values = {}) => resolveValues(given, env, field, problems);
  const transport = transportOf(entry, resolve);
  if (!transport) problems.push("must have either url or command, and headers only with url, env only with command");
  if (!SLUG.test(slug) || TAKEN_SLUGS.has(slug) || slug.startsWith(OWN_SLUG_PREFIX)) problems.push("needs a slug");
  if (!transport || problems.length > 0) return { problems };
  const common = { key: `file:${slug}`, slug, name, source: "file" as const };
  return { server: { ...common, transport, isTrusted: trusted, chosenTools: tools, groups }, problems };
}

function transportOf(
  { url, headers, command, env }: Entry,
  resolve: (field: string, given: Values | undefined) => Record<string, string>,
): HttpTransport | StdioTransport | undefined {
  if (url !== undefined && command === undefined && env === undefined) {
    return { kind: "http", url, headers: resolve("headers", headers) };
  }
  const [program, ...args] = command ?? [];
  if (program === undefined || url !== undefined || headers !== undefined) return undefined;
  return { kind: "stdio", command: [program, ...args], env: resolve("env", env) };
}

function resolveValues(given: Values, env: Environment, field: string, problems: string[]): Record<string, string> {
  const resolved = Object.entries(given).map(([name, each]) => {
    if (typeof each === "string") return [name, each];
    const found = env[each.env]?.trim();
    if (!found) problems.push(`${field}.${name} needs the variable ${each.env}, which is not set`);
    return [name, found ?? ""];
  });
  for (const [name, each] of resolved) {
    if (/[\0\r\n]/.test(each ?? "")) problems.push(`${field}.${name} has characters that no header has`);
  }
  return Object.fromEntries(resolved);
}

/** Returns a slug for a name; it may not be valid. */
const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^[^a-z]+|-+$/g, "")
    .slice(0, 40);

function isServerUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && ["http:", "https:"].includes(url.protocol) && url.username === "" && url.password === "";
}

function sentenceOf({ path, message }: { path: PropertyKey[]; message: string }): string {
  const where = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
  return `${where.replace(/^\./, "")} ${message}`.trim();
}
