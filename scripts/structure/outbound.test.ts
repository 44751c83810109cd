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

test("the module of PostgreSQL may open sockets, but nothing else", () => {
  const path = "server/database/postgres/postgres.ts";
  expect(problemsIn('import { Socket } from "node:net";\nexport const a = Socket;', path)).toEqual([]);
  expect(problemsIn('import { Agent } from "undici";\nexport const a = Agent;', path)).toHaveLength(1);
  const [file] = readSourceFiles(["server/database/postgres"]).filter((each) => each.path === path);
  expect(file?.text).toMatch(/^import \{ Socket \} from "node:net"/m);
});
