import { existsSync, globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Weight } from "../build/weigh.ts";
import { root } from "../child.mjs";
import { lintCanary } from "../lint-canary.ts";
import { findPostgres, findRedis, haveChromium, haveNginx } from "./services.ts";
import { check, judged, nothing, sum, type Tally } from "./tally.ts";
import { passes, runScript, say, show } from "./tools.ts";

const at = (...parts: string[]) => join(root, ...parts);
const isCi = (process.env.CI ?? "") !== "";
const hasFiles = (...patterns: string[]) =>
  globSync(patterns, { cwd: root, exclude: (path) => path.includes("node_modules") }).length > 0;

function noFiles(): Tally {
  say("No files yet.");
  return nothing;
}

export async function formatAndLint(): Promise<Tally> {
  return check(await passes("biome", ["ci", "--colors=off", "--error-on-warnings", "--max-diagnostics=100", "."]));
}

export async function lintRulesFire(): Promise<Tally> {
  const { passed, problems } = lintCanary();
  for (const problem of problems) say(`✗ ${problem}`);
  return { passed, failed: problems.length, skipped: 0 };
}

export async function types(): Promise<Tally> {
  const tallies: Tally[] = [];
  for (const part of [
    "contract",
    "server",
    "web",
    "web/service-worker",
    "e2e",
    "scripts",
    "torture",
    "security",
    "bench",
  ]) {
    if (!hasFiles(`${part}/**/*.{ts,tsx}`)) say(`${part}: no files yet.`);
    else tallies.push(check(await passes("tsc", ["-p", part])));
  }
  return sum(tallies);
}

/** Every check that needs no browser; `isQuick` leaves out the second database. */
export async function unit({ isQuick }: { isQuick: boolean }): Promise<Tally> {
  if (!hasFiles("{contract,server,web,testing,scripts,bench}/**/*.test.{ts,tsx}")) return noFiles();
  const projects = ["unit", "web", "server-sqlite"];
  // Vitest colours its words in CI, which is noise in a file or a pipe.
  const env: Record<string, string> = process.stdout.isTTY ? {} : { NO_COLOR: "1" };
  const missing: Tally[] = [];
  if (!isQuick) {
    const [postgres, redis] = await Promise.all([findPostgres(), findRedis()]);
    // For its own tests, and for those of several processes after them.
    const nginx = haveNginx();
    if (nginx === undefined) missing.push(isCi ? check(false) : { ...nothing, skipped: 1 });
    else env.NGINX_PATH = nginx;
    if (postgres === undefined) missing.push(absent("PostgreSQL", "TEST_DATABASE_URL"));
    else {
      projects.push("server-postgres");
      env.TEST_DATABASE_URL = postgres;
    }
    if (redis === undefined) missing.push(absent("Redis", "TEST_REDIS_URL"));
    else env.TEST_REDIS_URL = redis;
  }
  const report = at("test-results", "unit.json");
  rmSync(report, { force: true });
  const flaky = `--reporter=${at("scripts", "test", "flaky-reporter.ts")}`;
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${report}`, flaky];
  const code = await show("vitest", ["run", ...projects.flatMap((name) => ["--project", name]), ...reporters], env);
  return sum([judged(countUnit(report), code), ...missing]);
}

function absent(service: string, variable: string): Tally {
  say(`${service} does not answer (${variable} names it): ${isCi ? "it is required here" : "its tests are skipped"}.`);
  return isCi ? { ...nothing, failed: 1 } : { ...nothing, skipped: 1 };
}

type UnitReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
};

/** A file that does not load has no tests to fail: it counts as one that failed. */
function countUnit(report: string): Tally {
  if (!existsSync(report)) return nothing;
  const counts: UnitReport = JSON.parse(readFileSync(report, "utf8"));
  const unloaded = counts.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  return {
    passed: counts.numPassedTests,
    failed: counts.numFailedTests + unloaded.length,
    skipped: counts.numPendingTests + counts.numTodoTests,
  };
}

/** What the build weighed: each step of a visit against its budget. */
export async function weights(): Promise<Tally> {
  const reports = [at("build", "weights.json"), at("build", "frame-weights.json")];
  if (!reports.every((report) => existsSync(report))) return noFiles();
  const weighed: Weight[] = reports.flatMap((report) => JSON.parse(readFileSync(report, "utf8")));
  for (const { name, kb, maxKb, problem } of weighed) {
    say(problem === undefined ? `${name}: ${kb.toFixed(1)} of ${maxKb} kB` : `✗ ${problem}`);
  }
  return sum(weighed.map(({ problem }) => check(problem === undefined)));
}

/** A short run of the torture suite, always with the same faults. */
export async function faults(): Promise<Tally> {
  const report = at("test-results", "torture.json");
  rmSync(report, { force: true });
  const code = await runScript(at("torture", "run.ts"), ["--short", "--seed", "1"]);
  if (!existsSync(report)) return judged(nothing, code);
  const { passed, failed, skipped }: Tally = JSON.parse(readFileSync(report, "utf8"));
  return judged({ passed, failed, skipped }, code);
}

/** Parts of the security proof that need no browser and a minute together; `npm run security` has the rest. */
const quickParts = [
  "passwords",
  "enumeration",
  "tokens",
  "json",
  "forgery",
  "authorisation",
  "headers",
  "files",
  "echoes",
  "fuzz",
];

/** A short run of a part of the security proof, always with the same inputs. */
export async function security(): Promise<Tally> {
  const report = at("test-results", "security.json");
  rmSync(report, { force: true });
  const code = await runScript(at("security", "run.ts"), [
    "--short",
    "--seed",
    "1",
    ...quickParts.flatMap((part) => ["--only", part]),
  ]);
  if (!existsSync(report)) return judged(nothing, code);
  const { passed, failed, skipped }: Tally = JSON.parse(readFileSync(report, "utf8"));
  return judged({ passed, failed, skipped }, code);
}

type BrowserReport = { stats: { expected: number; unexpected: number; flaky: number; skipped: number } };

export async function browser(): Promise<Tally> {
  if (!hasFiles("e2e/**/*.spec.ts")) return noFiles();
  const chromium = haveChromium();
  if (chromium === undefined) return check(false);
  const report = at("test-results", "e2e.json");
  rmSync(report, { force: true });
  const code = await show("playwright", ["test"], { CHROMIUM_PATH: chromium });
  if (!existsSync(report)) return judged(nothing, code);
  const { stats }: BrowserReport = JSON.parse(readFileSync(report, "utf8"));
  if (stats.flaky > 0) say(`⚠ ${stats.flaky} passed at the second try only: see above.`);
  const counted = { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
  return judged(counted, code);
}
