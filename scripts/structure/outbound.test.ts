import { expect, test } from "vitest";
import { outboundProblems } from "./outbound.ts";
import { parseSourceFile, readSourceFiles } from "./source-files.ts";

const problemsIn = (source: string, path = "server/accounts/breaches.ts") =>
  outboundProblems([parseSourceFile(path, source)]);

test.each([
  ['export const a = () => fetch("https://example.org");', "fetch"],
  ['export const a = () => globalThis.fetch("https://example.org");', "fetch"],
  ['export const a = () => new WebSocket("wss://example.org");', "WebSocket"],
  ['import { Agent } from "undici";\nexport const a = new Agent();', "undici"],
  ['export const a = () => import("undici");', "undici"],
  ['import { request } from "node:https";\nexport const a = request;', "node:https"],
  ['import http from "node:http";\nexport const a = http;', "node:http"],
  ['import * as tls from "node:tls";\nexport const a = tls;', "node:tls"],
  ["const { fetch: get } = globalThis;\nexport const a = get;", "globalThis"],
  ["const all = globalThis;\nexport const a = all;", "globalThis"],
  ["export const a = (name: string) => Reflect.get(globalThis, name);", "globalThis"],
  ["export const a = (name: keyof typeof global) => global[name];", "global"],
  ['export const a = globalThis["fetch"];', "fetch"],
  ["export const a = fetch;", "fetch"],
  ["export const a = { fetch };", "fetch"],
  ["export const a = [fetch as (url: string) => Promise<Response>];", "fetch"],
  ["const get = fetch.bind(null);\nexport const a = get;", "fetch"],
  ["export class A {\n  fetch = fetch;\n}", "fetch"],
  ["export const a = (get = fetch) => get;", "fetch"],
  ['export { request } from "undici";', "undici"],
  ['export * from "node:https";', "node:https"],
  ['export * as http from "http";', "http"],
  [
    'import { createRequire } from "node:module";\nexport const a = createRequire(import.meta.url)("undici");',
    "createRequire",
  ],
  ['import module from "node:module";\nexport const a = module.createRequire(import.meta.url);', "createRequire"],
  ['export { createRequire } from "node:module";', "createRequire"],
  ['export const a = process.getBuiltinModule("node:http");', "getBuiltinModule"],
  ["const { getBuiltinModule: get } = process;\nexport const a = get;", "getBuiltinModule"],
  ["export const a = import(`undici`);", "undici"],
  ["export const a = (name: string) => import(name);", "a computed import()"],
  ['import "undici";', "undici"],
  ['import OpenAI from "openai";\nexport const a = OpenAI;', "openai"],
  ['import { createOpenAI } from "@ai-sdk/openai";\nexport const a = createOpenAI;', "@ai-sdk/openai"],
  ['import { AwsClient } from "aws4fetch";\nexport const a = AwsClient;', "aws4fetch"],
  ['import { createRemoteJWKSet } from "jose";\nexport const a = createRemoteJWKSet;', "jose"],
  [
    'import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";\nexport const a = OTLPTraceExporter;',
    "@opentelemetry/exporter-trace-otlp-http",
  ],
  ['import { connect, isIP } from "node:net";\nexport const a = [connect, isIP];', "node:net"],
])("the client in the file %s is reported", (source, client) => {
  expect(problemsIn(source)).toEqual([
    `server/accounts/breaches.ts uses ${client}. Connections to other servers are opened by server/outbound/ only.`,
  ]);
});

test.each([
  'import type { Dispatcher } from "undici";\nexport type A = Dispatcher;',
  'import { type IncomingMessage, createServer } from "node:http";\nexport const a: IncomingMessage[] = [createServer];',
  'import { isIP } from "node:net";\nexport const a = isIP;',
  'export type { Dispatcher } from "undici";',
  'export { isIP } from "node:net";',
  'import { enableCompileCache } from "node:module";\nexport const a = enableCompileCache;',
  'import { jwtVerify } from "jose";\nexport const a = jwtVerify;',
  'export const a = () => import("./proxied.ts");',
  "export type A = typeof fetch;\nexport const a = (value: unknown) => value as typeof globalThis.fetch;",
  "export const a = globalThis.structuredClone({ WebSocket: 1 });",
  "export class A {\n  async fetch() {}\n}",
  "export const a = { fetch: () => 1 };\nexport const b = a.fetch();",
])("the file %s connects to nothing", (source) => {
  expect(problemsIn(source)).toEqual([]);
});

test("server/outbound/, tests and other roots may use the clients", () => {
  const source = 'export const a = () => fetch("https://example.org");';
  expect(problemsIn(source, "server/outbound/outbound.ts")).toEqual([]);
  expect(problemsIn(source, "server/accounts/breaches.test.ts")).toEqual([]);
  expect(problemsIn(source, "web/api/http.ts")).toEqual([]);
});

test("the modules of Google's keys and of traces may use their clients, which they call with those of server/outbound/", () => {
  const keys = 'import { createRemoteJWKSet } from "jose";\nexport const a = createRemoteJWKSet;';
  expect(problemsIn(keys, "server/accounts/google/google-tokens.ts")).toEqual([]);
  const traces = 'export { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";';
  expect(problemsIn(traces, "server/telemetry/traces/traces.ts")).toEqual([]);
});

test("the module of PostgreSQL may open sockets, but nothing else", () => {
  const path = "server/database/postgres/postgres.ts";
  expect(problemsIn('import { Socket } from "node:net";\nexport const a = Socket;', path)).toEqual([]);
  expect(problemsIn('import { Agent } from "undici";\nexport const a = Agent;', path)).toHaveLength(1);
  const [file] = readSourceFiles(["server/database/postgres"]).filter((each) => each.path === path);
  expect(file?.text).toMatch(/^import \{ Socket \} from "node:net"/m);
});
