// Everything that leaves the server by HTTP uses the proxy and the timeouts of server/outbound/. A second way out would
// ignore them unnoticed.
import { isNode, type SourceFile, type SyntaxNode, syntaxTreeOf } from "./source-files.ts";

const FOLDER = "server/outbound/";
/** Files that may use a client: connections that are not HTTP, and clients that are called with those of the folder. */
const ALLOWED: Readonly<Record<string, string>> = {
  "server/accounts/google/google-tokens.ts": "jose",
  "server/accounts/ldap/directory-socket.ts": "node:net",
  "server/accounts/ldap/encrypt-socket.ts": "node:tls",
  "server/accounts/oidc/back-channel-logout.ts": "jose",
  "server/accounts/oidc/oidc-client.ts": "openid-client",
  "server/database/postgres/postgres.ts": "node:net",
  "server/mcp/client/sdk.ts": "@modelcontextprotocol/client",
  "server/telemetry/traces/traces.ts": "@opentelemetry/exporter-trace-otlp-http",
};
const GLOBALS = new Set(["fetch", "WebSocket", "EventSource", "XMLHttpRequest"]);
const GLOBAL_OBJECTS = new Set(["globalThis", "global"]);
/** Functions that load modules past `import`. */
const LOADERS = new Set(["createRequire", "getBuiltinModule"]);
const NODE_MODULES = ["http", "https", "http2", "net", "tls", "dgram"];
/** Clients among the packages of package.json; scoped ones with all packages of their scope. */
const PACKAGES = [
  ...["undici", "aws4fetch", "jose", "openid-client", "openai", "ai", "ws", "@anthropic-ai/", "@ai-sdk/"],
  "@modelcontextprotocol/client",
];
const TRACES = "@opentelemetry/exporter-trace-otlp-http";
const CLIENTS = [...NODE_MODULES.flatMap((name) => [name, `node:${name}`]), ...PACKAGES, TRACES];
/** Values of these modules that connect to nothing. */
const HARMLESS = new Set([
  ...["createServer", "Server", "isIP", "isIPv4", "isIPv6", "STATUS_CODES"],
  ...["AwsV4Signer", "errors", "jwtVerify", "SignJWT"],
]);
/** A mention of one of these makes a file worth parsing. */
const SUSPICIOUS = new RegExp(
  [...GLOBALS, ...GLOBAL_OBJECTS, ...LOADERS, `["'](?:${CLIENTS.join("|")})`, "import *\\("].join("|"),
);
/** Nodes of TypeScript that contain values; all others are types. */
const VALUES = /^TS(?:As|Satisfies|NonNull|Instantiation)Expression$|^TS(?:TypeAssertion|ParameterProperty)$/;

/** Fields that hold the name of a property, unless it is computed. */
const NAMES: Readonly<Record<string, string>> = {
  MemberExpression: "property",
  Property: "key",
  MethodDefinition: "key",
  PropertyDefinition: "key",
  AccessorProperty: "key",
};

type Named = SyntaxNode & { name?: string };
type Specifier = { importKind?: string; exportKind?: string; imported?: Named; local?: Named };
type ModuleNode = { source?: SyntaxNode | null; importKind?: string; exportKind?: string; specifiers?: Specifier[] };

/** Returns a sentence for each use of another HTTP client in a product file of the server. */
export function outboundProblems(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const { path, isTest, text } = file;
    if (isTest || !path.startsWith("server/") || path.startsWith(FOLDER) || !SUSPICIOUS.test(text)) return [];
    const found = new Set(usesIn(syntaxTreeOf(file)));
    found.delete(ALLOWED[path] ?? "");
    return [...found].map((use) => `${path} uses ${use}. Connections to other servers are opened by ${FOLDER} only.`);
  });
}

/** Returns the clients that the value of a syntax tree refers to. */
function usesIn(node: SyntaxNode): string[] {
  if (node.type.startsWith("TS") && !VALUES.test(node.type)) return [];
  const module = node as ModuleNode;
  if (module.source && /^(?:Import|Export)/.test(node.type)) return clientOfModule(node.type, module);
  const loader = [node, node[NAMES[node.type] ?? ""]].map(nameOf).find((name) => LOADERS.has(name ?? ""));
  if (loader !== undefined) return [loader];
  if (node.type === "Identifier")
    return [String(node.name)].filter((name) => GLOBALS.has(name) || GLOBAL_OBJECTS.has(name));
  if (node.type === "MemberExpression") return usesInMember(node);
  return childrenOf(node).flatMap(usesIn);
}

/** Returns the uses in `object.property`. A global object is allowed as the object of a known other property only. */
function usesInMember(node: SyntaxNode): string[] {
  const { object, property, computed } = node as { object?: Named; property?: Named; computed?: boolean };
  const key = property && (computed ? literalOf(property) : property.name);
  const isGlobal = GLOBAL_OBJECTS.has(object?.name ?? "");
  if (!isGlobal || key === undefined) return childrenOf(node).flatMap(usesIn);
  return GLOBALS.has(key) ? [key] : [];
}

/** Returns the name of an identifier, or the text of a string. */
function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  return node.type === "Identifier" ? String(node.name) : literalOf(node);
}

/** Returns the text of a string, also of a template without expressions. */
function literalOf(node: SyntaxNode): string | undefined {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  const { quasis } = node as { quasis?: { value: { cooked?: string } }[] };
  return node.type === "TemplateLiteral" && quasis?.length === 1 ? quasis[0]?.value.cooked : undefined;
}

/** Returns the child nodes without the names of properties, which refer to nothing. */
function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const name = node.computed ? undefined : NAMES[node.type];
  return Object.entries(node).flatMap(([field, value]) =>
    field === name ? [] : [value].flat().filter((child): child is SyntaxNode => isNode(child)),
  );
}

/** Returns the client that an import or `export … from` loads. */
function clientOfModule(type: string, { source, importKind, exportKind, specifiers }: ModuleNode): string[] {
  const module = source && literalOf(source);
  if (module === undefined || module === null) return ["a computed import()"];
  if (importKind === "type" || exportKind === "type") return [];
  const values = (specifiers ?? [])
    .filter((specifier) => specifier.importKind !== "type" && specifier.exportKind !== "type")
    .map(({ imported, local }) => (type === "ImportDeclaration" ? imported : local)?.name ?? "");
  const loader = values.filter((name) => LOADERS.has(name));
  if (!CLIENTS.some((client) => module === client || (client.endsWith("/") && module.startsWith(client))))
    return loader;
  // Without specifiers, the module is loaded as a whole, unless all that it names are types.
  const isHarmless = (specifiers ?? []).length > 0 && values.every((name) => HARMLESS.has(name));
  return isHarmless ? loader : [...loader, module];
}
