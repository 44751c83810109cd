import { expect, test } from "vitest";
import { folderCycleProblems, importProblems, tableProblems } from "./import-rules.ts";
import { parseSourceFile } from "./source-files.ts";
import type { Root, Zone, ZoneTable } from "./zone-table.ts";

const zones: readonly Zone[] = [
  { name: "log", path: "server/process/log.ts", imports: [], reason: "It writes." },
  { name: "accounts", path: "server/accounts", imports: ["log"], reason: "First." },
  { name: "chats", path: "server/chats", imports: ["accounts", "log"], reason: "Second." },
  { name: "process", path: "server/process", imports: "above", reason: "It composes." },
  { name: "testing", path: "server/testing", imports: "above", isForTests: true, reason: "Tests only." },
  { name: "entry", path: "server/*", imports: ["process"], reason: "It starts." },
];

const server: Root = {
  folder: "server",
  zones,
  roots: ["contract"],
  neverInTests: ["web", "security"],
  testsMayImport: ["security/texts"],
  reason: "Not from here.",
  testsImport: "their zone's",
};

const table: ZoneTable = {
  roots: [server],
  packages: [
    { in: ["server"], packages: ["pg", "pg/**"], except: ["*-store.ts"], inTests: false, reason: "Only stores." },
    { in: ["server/chats"], packages: ["**", "!zod", "!zod/*"], inTests: true, reason: "Only zod." },
  ],
  otherRoots: [{ folders: ["testing"], never: ["web"], reason: "No browser." }],
};

const problemsOf = (path: string, text: string, rules = table) => importProblems(rules, [parseSourceFile(path, text)]);

test.each([
  ["server/chats/a.ts", 'import "../accounts/a.ts";'],
  ["server/chats/deep/a.ts", 'import "../a.ts";\nimport "../../accounts/a.ts";'],
  ["server/chats/a.ts", 'import "../process/log.ts";'],
  ["server/chats/a.ts", 'import "#contract/a.ts";\nimport "zod/mini";'],
  ["server/chats/a.test.ts", 'import "../testing/a.ts";\nimport "../../security/texts/a.ts";'],
  ["server/accounts/a-store.ts", 'import "pg";'],
  ["server/accounts/a.test.ts", 'import "pg";'],
  ["server/process/a.ts", 'import "../chats/a.ts";'],
  ["server/main.ts", 'import "./process/a.ts";'],
  ["testing/a.ts", 'import "../server/a.ts";'],
])("%s may contain %s", (path, text) => {
  expect(problemsOf(path, text)).toEqual([]);
});

test.each([
  ["server/accounts/a.ts", 'import "../chats/a.ts";', 'zone "accounts" may not import "chats". First.'],
  ["server/accounts/a.ts", 'export * from "../chats/a.ts";', 'zone "accounts" may not import "chats". First.'],
  [
    "server/accounts/a.ts",
    'export type A = import("../chats/a.ts").A;',
    'zone "accounts" may not import "chats". First.',
  ],
  [
    "server/accounts/a.ts",
    'export const a = import("../chats/a.ts");',
    'zone "accounts" may not import "chats". First.',
  ],
  ["server/accounts/chats/a.ts", 'import "../../chats/a.ts";', 'zone "accounts" may not import "chats". First.'],
  ["server/accounts/a.test.ts", 'import "../chats/a.ts";', 'zone "accounts" may not import "chats". First.'],
  ["server/chats/a.ts", 'import "../process/a.ts";', 'zone "chats" may not import "process". Second.'],
  ["server/chats/a.ts", 'import "../main.ts";', 'zone "chats" may not import "entry". Second.'],
  ["server/chats/a.ts", 'import "../testing/a.ts";', 'zone "chats" may not import "testing". Second.'],
  ["server/chats/a.ts", 'import "../../security/a.ts";', "Not from here."],
  ["server/chats/a.ts", 'import "../../security/texts/a.ts";', "Not from here."],
  ["server/chats/a.test.ts", 'import "../../security/a.ts";', "Not from here."],
  ["server/testing/a.ts", 'import "../../security/a.ts";', "Not from here."],
  ["server/chats/a.test.ts", 'import "../../web/a.ts";', "Not from here."],
  ["server/accounts/a.ts", 'import "pg";', "Only stores."],
  ["server/chats/a.ts", 'import "node:fs";', "Only zod."],
  ["testing/a.ts", 'import "../web/a.ts";', "No browser."],
])("%s may not contain %s", (path, text, reason) => {
  const problems = problemsOf(path, text);
  expect(problems).toHaveLength(1);
  expect(problems[0]?.endsWith(`: ${reason}`)).toBe(true);
});

const everyFile = [
  "server/main.ts",
  "server/accounts/a-store.ts",
  "server/chats/a.ts",
  "server/process/log.ts",
  "server/process/a.ts",
  "server/testing/a.ts",
];

test("a table of zones that matches the folders has no problem", () => {
  expect(tableProblems(table, everyFile)).toEqual([]);
});

test("a folder without a zone, a zone without files and an unknown name are reported", () => {
  const paths = [...everyFile, "server/mail/deep/a.ts"].filter((path) => !path.startsWith("server/accounts"));
  const broken = { ...table, roots: [{ ...server, zones: [...zones, { ...zones[2], name: "mails" } as Zone] }] };
  const [first, ...rest] = tableProblems(broken, paths);
  expect(first).toBe("The folder server/mail/deep belongs to no zone of scripts/zones.ts.");
  expect(rest).toContain(
    'The zone "accounts" of scripts/zones.ts has the path server/accounts, which matches no source file.',
  );
  const misspelt = {
    ...table,
    roots: [{ ...server, zones: [...zones.slice(0, 5), { ...zones[5], imports: ["proces"] } as Zone] }],
  };
  expect(tableProblems(misspelt, everyFile)).toEqual([
    'The zone "entry" imports "proces", which is not a zone of server/.',
  ]);
});

const cyclic = [
  parseSourceFile("server/chats/a.ts", 'import "../accounts/a.ts";'),
  parseSourceFile("server/accounts/b.ts", 'import "../chats/deep/b.ts";'),
];

test("folders that import each other are a cycle, even if their files are not", () => {
  expect(folderCycleProblems(cyclic)).toEqual([
    "Folders import each other in a cycle: server/accounts → server/chats → server/accounts " +
      "(server/accounts/b.ts imports server/chats/deep/b.ts; server/chats/a.ts imports server/accounts/a.ts).",
  ]);
});

test("a folder and its subfolders, and tests, form no cycle", () => {
  const files = [
    parseSourceFile("server/chats/a.ts", 'import "./deep/a.ts";'),
    parseSourceFile("server/chats/deep/a.ts", 'import "../b.ts";'),
    parseSourceFile("server/accounts/b.test.ts", 'import "../chats/deep/b.ts";'),
    parseSourceFile("server/chats/c.ts", 'import "../accounts/a.ts";'),
  ];
  expect(folderCycleProblems(files)).toEqual([]);
});
