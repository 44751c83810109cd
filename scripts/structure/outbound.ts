// Everything that leaves the server by HTTP uses the proxy and the timeouts of server/outbound/. A second way out would
// ignore them unnoticed.
import { type SourceFile, type SyntaxNode, syntaxTreeOf, walk } from "./source-files.ts";

const FOLDER = "server/outbound/";
/** Connections that are not HTTP. */
const ALLOWED: Readonly<Record<string, string>> = { "server/database/postgres/postgres.ts": "node:net" };
const GLOBALS = new Set(["fetch", "WebSocket", "EventSource"]);
const MODULES = new Set(
  ["undici", "http", "https", "http2", "net", "tls", "dgram"].flatMap((name) => [name, `node:${name}`]),
);
/** Values of these modules that connect to nothing. */
const HARMLESS = new Set(["createServer", "Server", "isIP", "isIPv4", "isIPv6", "STATUS_CODES"]);
/** A mention of one of these makes a file worth parsing. */
const SUSPICIOUS = /\b(?:fetch|WebSocket|EventSource|undici|https?|http2|net|tls|dgram)\b/;

type Named = { name?: string };
type Specifier = { type: string; importKind?: string; imported?: Named };
type ImportNode = { source: { value?: unknown }; importKind?: string; specifiers?: Specifier[] };
type CallNode = { callee: SyntaxNode & Named & { object?: Named; property?: Named } };

/** Returns a sentence for each use of another HTTP client in a product file of the server. */
export function outboundProblems(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const { path, isTest, text } = file;
    if (isTest || !path.startsWith("server/") || path.startsWith(FOLDER) || !SUSPICIOUS.test(text)) return [];
    const found = new Set<string>();
    walk(syntaxTreeOf(file), (node) => {
      const use = clientOf(node);
      if (use !== undefined && use !== ALLOWED[path]) found.add(use);
    });
    return [...found].map((use) => `${path} uses ${use}. Connections to other servers are opened by ${FOLDER} only.`);
  });
}

/** Returns the client that a node of the syntax tree uses. */
function clientOf(node: SyntaxNode): string | undefined {
  if (node.type === "ImportDeclaration" || node.type === "ImportExpression") return clientOfImport(node);
  if (node.type !== "CallExpression" && node.type !== "NewExpression") return undefined;
  const { callee } = node as SyntaxNode & CallNode;
  const name = callee.object?.name === "globalThis" ? callee.property?.name : callee.name;
  return name !== undefined && GLOBALS.has(name) ? name : undefined;
}

function clientOfImport(node: SyntaxNode): string | undefined {
  const { source, importKind, specifiers } = node as SyntaxNode & ImportNode;
  const { value: module } = source;
  if (typeof module !== "string" || !MODULES.has(module) || importKind === "type") return undefined;
  const isHarmless = (specifier: Specifier) =>
    specifier.importKind === "type" || HARMLESS.has(specifier.imported?.name ?? "");
  return specifiers?.every(isHarmless) && specifiers.length > 0 ? undefined : module;
}
