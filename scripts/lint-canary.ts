// A misspelt glob in biome.json disables a rule silently. So this canary breaks each rule on purpose, in a copy of the
// folder layout outside the repository, and Biome must report it; allowed code must not be reported.
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

/** Path, content, and the rule that the file breaks, if any. Imported modules need not exist. */
const cases: readonly Case[] = [
  ["server/http/env.ts", "export const a = process.env.A;", "style/noProcessEnv"],
  ["server/http/console.ts", 'console.log("a");', "suspicious/noConsole"],
  ["server/main.ts", 'import "node:process";\nconsole.log(process.env.A);', undefined],
  ["server/main-part/main.ts", "console.log(process.env.A);", "style/noProcessEnv"],
  ["torture/faults/ok.ts", 'import "../../testing/balancer.ts";\nconsole.log(process.env.CI);', undefined],
  ["security/http/ok.ts", 'import "../../testing/balancer.ts";\nconsole.log(process.env.CI);', undefined],
  ["contract/accounts/server.ts", 'import "../../server/failure.ts";', imports],
  ["contract/accounts/type.ts", 'import type { A } from "../../web/log.ts";\nexport type B = A;', imports],
  ["contract/accounts/package.ts", 'import "react";', imports],
  ["contract/accounts/ok.ts", 'import "zod/mini";\nimport "../times.ts";', undefined],
  ["contract/accounts/ok.test.ts", 'import "vitest";\nimport "../times.ts";', undefined],
  ["server/http/web.ts", 'export * from "../../web/log.ts";', imports],
  ["server/http/testing.ts", 'export const a = import("../../testing/balancer.ts");', imports],
  ["server/http/react.ts", 'import "react-dom";', imports],
  ["server/http/react.test.ts", 'import "react-dom";', imports],
  ["server/http/ok.test.ts", 'import "../../testing/balancer.ts";\nimport "#contract/times.ts";', undefined],
  ["web/app/server.ts", 'import "../../server/failure.ts";', imports],
  ["web/app/server.test.tsx", 'import "../../server/failure.ts";', imports],
  ["web/app/node.ts", 'import "node:fs";', imports],
  ["web/app/kysely.test.ts", 'import "kysely";', imports],
  ["web/app/ok.tsx", 'import "react";\nimport "#contract/times.ts";', undefined],
  ["web/app/link.tsx", 'import { Link } from "react-router";', imports],
  ["web/app/location.tsx", 'export { useLocation } from "react-router";', undefined],
  ["web/api/react.ts", 'import "react";', imports],
  ["web/api/server.ts", 'import "../../server/failure.ts";', imports],
  ["testing/app/web.ts", 'import "../../web/log.ts";', imports],
  ["torture/faults/web.ts", 'import "../../web/log.ts";', imports],
  ["security/http/react.ts", 'import "react";', imports],
  ["server/http/attack.test.ts", 'import "../../security/site.ts";', imports],
  ["contract/attack.test.ts", 'import "../security/site.ts";', imports],
  ["web/markdown/texts.test.tsx", 'import "../../testing/rendering/all.ts";', undefined],
  ["web/log.ts", 'console.error("a");', undefined],
  ["web/app/console.ts", 'console.error("a");', "suspicious/noConsole"],
  ["server/http/any.ts", "export const a: any = 1;", "suspicious/noExplicitAny"],
  ["server/http/sure.ts", "export const a = (b?: string) => b!.length;", "style/noNonNullAssertion"],
  ["server/http/bare.ts", 'import "fs";', "style/useNodejsImportProtocol"],
  ["server/http/ending.ts", 'import { a } from "./ended";\nexport const b = a;', "correctness/useImportExtensions"],
  ["server/http/ended.ts", "export const a = 1;", undefined],
  ["server/http/floating.ts", "async function a() {}\nexport function b() {\n  a();\n}", "nursery/noFloatingPromises"],
  ["server/http/long.ts", longFunction(61), "complexity/noExcessiveLinesPerFunction"],
  ["server/http/long-enough.ts", longFunction(58), undefined],
  ["server/http/long.test.ts", longFunction(61), undefined],
  ["web/app/long.tsx", longFunction(81), "complexity/noExcessiveLinesPerFunction"],
  ["web/app/long-enough.tsx", longFunction(78), undefined],
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

/** Runs Biome on all cases in a temporary folder. @returns its findings as `path rule` */
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

/** Checks all cases. `problems`: a sentence for each rule that did not fire and for each false alarm. */
export function lintCanary(): { passed: number; problems: string[] } {
  const found = findings();
  const problems = cases.flatMap(([path, , rule]) => {
    const reported = [...found]
      .filter((finding) => finding.startsWith(`${path} `))
      .map((finding) => finding.split(" ")[1]);
    if (rule === undefined)
      return reported.length === 0 ? [] : [`${path} is allowed, but ${reported.join(", ")} was reported`];
    return reported.includes(rule) ? [] : [`${path} breaks ${rule} on purpose, but Biome did not report it`];
  });
  return { passed: cases.length - problems.length, problems };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { passed, problems } = lintCanary();
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(`${passed} rules fire, ${problems.length} do not\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
