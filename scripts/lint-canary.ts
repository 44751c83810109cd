// A misspelt glob in biome.json is silent: the rule then holds nowhere and nobody is told. So each rule that the house
// rests on is broken here on purpose, in a copy of the layout outside the repository, and must be reported; and what
// is allowed must not be.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./child.mjs";

const imports = "style/noRestrictedImports";
const cycle = "suspicious/noImportCycles";
const lines = (count: number) => Array.from({ length: count }, (_, index) => `  use(${index});`).join("\n");
const longFunction = (count: number) => `export function long(use: (n: number) => void) {\n${lines(count)}\n}\n`;
const longFile = (count: number) =>
  Array.from({ length: count }, (_, index) => `export const a${index} = ${index};`).join("\n");

type Case = [path: string, text: string, rule: string | undefined];

/** Each file by its path: what it says, and the rule it breaks, if any. Modules named in it need not exist. */
const cases: Case[] = [
  ["contract/ok.ts", 'import "zod/mini";\nimport "./limits.ts";', undefined],
  ["contract/static.ts", 'import "../server/process/app.ts";', imports],
  ["contract/type.ts", 'import type { A } from "../web/a.ts";\nexport type B = A;', imports],
  ["contract/again.ts", 'export type { A } from "kysely";', imports],
  ["contract/dynamic.ts", 'export const a = import("node:fs");', imports],
  ["server/http/ok.ts", 'import "#contract/chats.ts";\nimport "fastify";\nimport "../accounts/session.ts";', undefined],
  ["server/http/web.ts", 'import "../../web/api/client.ts";', imports],
  ["server/http/web-type.ts", 'import type { A } from "../../web/a.ts";\nexport type B = A;', imports],
  ["server/http/web-again.ts", 'export * from "../../web/a.ts";', imports],
  ["server/http/web-dynamic.ts", 'export const a = import("../../web/a.ts");', imports],
  ["server/http/react.ts", 'import "react-dom/server";', imports],
  ["server/http/testing.ts", 'import "../../testing/app.ts";', imports],
  ["server/http/process.ts", 'import "node:process";', imports],
  ["server/http/env.ts", "export const a = process.env.A;", "style/noProcessEnv"],
  ["server/http/console.ts", 'console.log("a");', "suspicious/noConsole"],
  ["server/main.ts", 'import "node:process";\nconsole.log(process.env.A);', undefined],
  ["server/main-part/main.ts", "console.log(process.env.A);", "style/noProcessEnv"],
  ["server/database/feature.ts", 'import "../chats/chat-store.ts";', imports],
  ["server/database/ok.ts", 'import "kysely";\nimport "pg";', undefined],
  ["server/mail/feature.ts", 'import "../accounts/rules.ts";', imports],
  ["server/accounts/models.ts", 'import "../models/model.ts";', imports],
  ["server/accounts/sql.ts", 'import "kysely";', imports],
  ["server/accounts/session-store.ts", 'import "kysely";\nimport "#contract/accounts.ts";', undefined],
  ["server/accounts/chat-store.ts", 'import "../chats/chats.ts";', imports],
  ["server/models/chats.ts", 'import "../chats/chats.ts";', imports],
  ["server/models/deep/sql.ts", 'import "kysely";', imports],
  ["server/models/cool-down-store.ts", 'import "../conversation/reply/replies.ts";', imports],
  ["server/models/ok.ts", 'import "../accounts/rules.ts";', undefined],
  ["server/models/search.ts", 'import "../search/search.ts";', imports],
  ["server/search/chats.ts", 'import "../chats/chats.ts";', imports],
  ["server/search/sql.ts", 'import "kysely";', imports],
  ["server/search/search-store.ts", 'import "../conversation/reply/replies.ts";', imports],
  ["server/chats/ok-store.ts", 'import "../search/search-index-store.ts";', undefined],
  ["server/database/migrations/search.ts", 'import "../../search/search-index-store.ts";', imports],
  ["server/database/migrations/words.ts", 'import "../../text/tokenise.ts";', undefined],
  ["server/usage/sql.ts", 'import "kysely";', imports],
  ["server/usage/replies-store.ts", 'import "../conversation/reply/replies.ts";', imports],
  ["server/transfer/sql.ts", 'import "kysely";', imports],
  ["server/models/presets.ts", 'import "../presets/presets.ts";', imports],
  ["server/presets/chats.ts", 'import "../chats/chats.ts";', imports],
  ["server/presets/sql.ts", 'import "kysely";', imports],
  ["server/presets/chat-store.ts", 'import "../chats/chats.ts";', imports],
  ["server/presets/preset-store.ts", 'import "kysely";\nimport "../models/model.ts";', undefined],
  ["server/chats/presets.ts", 'import "../presets/presets.ts";', undefined],
  ["server/chats/conversation.ts", 'import "../conversation/reply/replies.ts";', imports],
  ["server/chats/sql.ts", 'import "node:sqlite";', imports],
  ["server/chats/chat-store.ts", 'import "../conversation/reply/replies.ts";', imports],
  ["server/conversation/sql.ts", 'import "kysely";', imports],
  ["server/conversation/web-store.ts", 'import "../../web/a.ts";', imports],
  ["server/conversation/ok.ts", 'import "../chats/chats.ts";\nimport "../models/model.ts";', undefined],
  [
    "server/chats/chats.test.ts",
    'import "../../testing/app.ts";\nimport "../conversation/reply/replies.ts";',
    undefined,
  ],
  ["server/chats/web.test.ts", 'import "../../web/a.ts";', imports],
  ["testing/web.ts", 'import "../web/a.ts";', imports],
  ["torture/faults/web.ts", 'import "../../web/a.ts";', imports],
  ["torture/faults/ok.ts", 'import "../../testing/balancer.ts";\nconsole.log(process.env.CI);', undefined],
  ["security/edge/web.ts", 'import "../../web/a.ts";', imports],
  ["security/edge/ok.ts", 'import "../../testing/balancer.ts";\nconsole.log(process.env.CI);', undefined],
  ["web/app/ok.tsx", 'import "../chats/chat-list.tsx";\nimport "react";\nimport "#contract/chats.ts";', undefined],
  ["web/app/server.ts", 'import "../../server/config.ts";', imports],
  ["web/app/node.ts", 'import "node:fs/promises";', imports],
  ["web/app/testing.ts", 'import "../../testing/app.ts";', imports],
  ["web/app/log.ts", 'console.error("a");', undefined],
  ["web/app/console.ts", 'console.error("a");', "suspicious/noConsole"],
  ["web/ui/feature.tsx", 'import "../chats/chat-list.tsx";', imports],
  ["web/api/react.ts", 'import "react";', imports],
  ["web/accounts/chats.ts", 'import "../chats/chats.ts";', imports],
  ["web/accounts/app.ts", 'import "../app/router.tsx";', imports],
  ["web/accounts/log.ts", 'import "../app/log.ts";', undefined],
  ["web/accounts/search.ts", 'import "../search/search-run.ts";', imports],
  ["web/search/chats.ts", 'import "../chats/chats-slice.ts";', imports],
  ["web/chats/search.ts", 'import "../search/search-dialog.tsx";', undefined],
  ["web/chats/conversation.ts", 'import "../conversation/slice.ts";', imports],
  ["web/conversation/settings.ts", 'import "../settings/screen.tsx";', imports],
  ["web/settings/server.ts", 'import "../../server/a.ts";', imports],
  ["server/http/any.ts", "export const a: any = 1;", "suspicious/noExplicitAny"],
  ["server/http/sure.ts", "export const a = (b?: string) => b!.length;", "style/noNonNullAssertion"],
  ["server/http/bare.ts", 'import "fs";', "style/useNodejsImportProtocol"],
  [
    "server/http/ending.ts",
    'import { failure } from "../failure";\nexport const a = failure;',
    "correctness/useImportExtensions",
  ],
  ["server/failure.ts", "export const failure = 1;", undefined],
  ["server/http/floating.ts", "async function a() {}\nexport function b() {\n  a();\n}", "nursery/noFloatingPromises"],
  ["server/http/long.ts", longFunction(61), "complexity/noExcessiveLinesPerFunction"],
  ["server/http/long-enough.ts", longFunction(58), undefined],
  ["server/http/long.test.ts", longFunction(61), undefined],
  ["web/app/long.tsx", longFunction(121), "complexity/noExcessiveLinesPerFunction"],
  ["web/app/long-enough.tsx", longFunction(100), undefined],
  ["contract/long-file.ts", longFile(351), "style/noExcessiveLinesPerFile"],
  ["contract/long-enough-file.ts", longFile(350), undefined],
  ["server/http/cycle-a.ts", 'import { b } from "./cycle-b.ts";\nexport const a = () => b;', cycle],
  ["server/http/cycle-b.ts", 'import { a } from "./cycle-a.ts";\nexport const b = () => a;', cycle],
  ["contract/type-a.ts", 'import type { B } from "./type-b.ts";\nexport type A = B[];', cycle],
  ["contract/type-b.ts", 'import type { A } from "./type-a.ts";\nexport type B = { a: A };', cycle],
  ["web/app/again-a.ts", 'export { b } from "./again-b.ts";\nexport const a = 1;', cycle],
  ["web/app/again-b.ts", 'export { a } from "./again-a.ts";\nexport const b = 1;', cycle],
  ["web/app/later-a.ts", 'export const b = import("./later-b.ts");\nexport const a = 1;', cycle],
  ["web/app/later-b.ts", 'import { a } from "./later-a.ts";\nexport const b = a;', cycle],
];

type Report = { diagnostics: { category: string; location: { path: string } }[] };

/** Biome's findings as `path rule`, for all cases in a folder that lasts only for the run. */
function findings(): Set<string> {
  const folder = mkdtempSync(join(tmpdir(), "lint-canary-"));
  try {
    copyFileSync(join(root, "biome.json"), join(folder, "biome.json"));
    copyFileSync(join(root, "package.json"), join(folder, "package.json"));
    for (const [path, text] of cases) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `${text.trimEnd()}\n`);
    }
    const program = join(root, "node_modules", "@biomejs", "biome", "bin", "biome");
    const args = [program, "lint", "--vcs-enabled=false", "--reporter=json", "--max-diagnostics=none", "."];
    const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 26 });
    const { diagnostics }: Report = JSON.parse(stdout);
    return new Set(diagnostics.map(({ location, category }) => `${location.path} ${category.replace("lint/", "")}`));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Breaks each rule; `problems` has a sentence for each that did not fire and for each false alarm. */
export function lintCanary(): { passed: number; problems: string[] } {
  const found = findings();
  const problems = cases.flatMap(([path, , rule]) => {
    const told = [...found].filter((finding) => finding.startsWith(`${path} `)).map((finding) => finding.split(" ")[1]);
    if (rule === undefined) return told.length === 0 ? [] : [`${path} is allowed, but ${told.join(", ")} was reported`];
    return told.includes(rule) ? [] : [`${path} breaks ${rule} on purpose, but Biome did not report it`];
  });
  return { passed: cases.length - problems.length, problems };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { passed, problems } = lintCanary();
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(`${passed} rules fire, ${problems.length} do not\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
