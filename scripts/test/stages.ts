import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Weight } from "../build/weigh.ts";
import { root } from "../child.mjs";
import { lintCanary } from "../lint-canary.ts";
import { checkStructure } from "../structure/check.ts";
import { REMARKS_FILE, type Remarks } from "./remarks-reporter.ts";
import { findPostgres, findRedis, haveChromium, haveNginx, haveSlapd } from "./services.ts";
import { check, judged, nothing, type RetriedTest, sum, type Tally, withRetried } from "./tally.ts";
import { passes, runScript, say, show } from "./tools.ts";

const at = (...parts: string[]) => join(root, ...parts);
const isCi = (process.env.CI ?? "") !== "";
/** Whether a missing service fails the run. */
const needsAll = (length: Length) => isCi || length === "proof";

/**
 * `quick`: `npm run check`. `test`: `npm test`. `parts`: further parts of the stages that {@link shard} divides. `rest`: the
 * rest for CI. `proof`: everything at full length.
 */
export type Length = "quick" | "test" | "parts" | "rest" | "proof";

/** The part of the tests and journeys that runs, such as `2/4`; undefined: all. */
const shard = process.env.TEST_SHARD;
const shardArguments = shard === undefined ? [] : [`--shard=${shard}`];
const shardNotes = shard === undefined ? [] : [`only the part ${shard}`];

export async function formatAndLint(): Promise<Tally> {
  return check(await passes("biome", ["ci", "--colors=off", "--error-on-warnings", "--max-diagnostics=100", "."]));
}

export async function lintRulesFire(): Promise<Tally> {
  const { passed, problems } = lintCanary();
  for (const problem of problems) say(`✗ ${problem}`);
  return { passed, failed: problems.length, skipped: 0 };
}

/** Checks import rules, folder cycles, names, generated files and ARCHITECTURE.md. */
export async function structure(): Promise<Tally> {
  const { passed, problems } = checkStructure();
  for (const problem of problems) say(`✗ ${problem}`);
  return { passed, failed: problems.length, skipped: 0 };
}

/**
 * Compilations that together check every folder with a tsconfig.json. A folder's own settings are for editors: compiled
 * one by one, five of them check the server again.
 */
export const programs = ["contract", "web", "web/service-worker", "tsconfig.node.json", "tsconfig.browser.json"];

export async function types(): Promise<Tally> {
  const tallies: Tally[] = [];
  for (const program of programs) tallies.push(check(await passes("tsc", ["-p", program])));
  return sum(tallies);
}

/** The projects of vitest.config.ts, by the length of the run. */
const unitProjects = {
  quick: { anywhere: ["unit", "web", "server-sqlite"], onPostgres: [] },
  test: { anywhere: ["unit", "web", "server-sqlite"], onPostgres: ["server-postgres"] },
  parts: { anywhere: ["unit", "web", "server-sqlite"], onPostgres: ["server-postgres"] },
  rest: { anywhere: [], onPostgres: ["server-postgres-rest"] },
  proof: { anywhere: ["unit", "web", "server-sqlite"], onPostgres: ["server-postgres", "server-postgres-rest"] },
} as const satisfies Record<Length, { anywhere: readonly string[]; onPostgres: readonly string[] }>;

/** Runs the Vitest projects. The quick run needs no service; the longer ones use PostgreSQL, Redis, nginx and slapd. */
export async function unit(length: Length): Promise<Tally> {
  const { anywhere, onPostgres } = unitProjects[length];
  const projects: string[] = [...anywhere];
  // Vitest colours its output in CI, which is noise in a file or a pipe.
  const env: Record<string, string> = process.stdout.isTTY ? {} : { NO_COLOR: "1" };
  const missing: Tally[] = [];
  // With CI, tests fail where their service is missing.
  if (length === "quick") env.CI = "";
  else {
    const [postgres, redis] = await Promise.all([findPostgres(), findRedis()]);
    // The tests of nginx and those of several processes use it; slapd is the directory of sign-ins.
    for (const [variable, path] of Object.entries({ NGINX_PATH: haveNginx(), SLAPD_PATH: haveSlapd() })) {
      if (path === undefined) missing.push(needsAll(length) ? check(false) : { ...nothing, skipped: 1 });
      else env[variable] = path;
    }
    if (postgres === undefined) missing.push(absent("PostgreSQL", "TEST_DATABASE_URL", length));
    else {
      projects.push(...onPostgres);
      env.TEST_DATABASE_URL = postgres;
    }
    if (redis === undefined) missing.push(absent("Redis", "TEST_REDIS_URL", length));
    else env.TEST_REDIS_URL = redis;
  }
  if (projects.length === 0) return sum(missing);
  const report = at("test-results", "unit.json");
  const remarks = at("test-results", "unit-remarks.json");
  for (const file of [report, remarks]) rmSync(file, { force: true });
  const reporters = ["dot", "json", at("scripts", "test", "remarks-reporter.ts")].map((name) => `--reporter=${name}`);
  const names = projects.flatMap((name) => ["--project", name]);
  const code = await show("vitest", ["run", ...names, ...shardArguments, ...reporters, `--outputFile.json=${report}`], {
    ...env,
    [REMARKS_FILE]: remarks,
  });
  const { retried, printed }: Remarks = readJson(remarks) ?? { retried: [], printed: [] };
  for (const { title, text } of printed) say(`✗ printed by a test: ${title}\n${text}`);
  const counted = withRetried(countUnit(report), retried, length === "proof");
  return sum([judged(counted, code), { ...nothing, failed: printed.length, notes: shardNotes }, ...missing]);
}

function absent(service: string, variable: string, length: Length): Tally {
  const isNeeded = needsAll(length);
  say(
    `${service} does not answer (${variable} names it): ${isNeeded ? "it is required here" : "its tests are skipped"}.`,
  );
  return isNeeded ? { ...nothing, failed: 1 } : { ...nothing, skipped: 1 };
}

/** Returns undefined for a file that does not exist. */
const readJson = (file: string) => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined);

type UnitReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
};

/** Reads Vitest's counts. A file that does not load reports no failed test, so it counts as one. */
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

/** Checks the sizes that the build measured: each step of a visit against its budget. */
export async function weights(): Promise<Tally> {
  const reports = ["weights.json", "frame-weights.json", "share-weights.json"].map((name) => at("build", name));
  const weighed: Weight[] = reports.flatMap((report) => JSON.parse(readFileSync(report, "utf8")));
  for (const { name, kb, maxKb, problem } of weighed) {
    say(problem === undefined ? `${name}: ${kb.toFixed(1)} of ${maxKb} kB` : `✗ ${problem}`);
  }
  return sum(weighed.map(({ problem }) => check(problem === undefined)));
}

/** Arguments for a short and reproducible run of torture or security. */
const short = ["--short", "--seed", "1"];

/** Runs the torture suite; the short form except in a proof. */
export async function faults(length: Length): Promise<Tally> {
  return runSuite("torture", length === "proof" ? [] : short);
}

/** Sections of the security proof that need no browser and one minute together; `npm run security` runs all. */
const quickParts = ["tokens", "json", "forgery", "authorisation", "headers", "files", "echoes", "traces", "fuzz"];

/** Runs the security proof completely, or a short run of {@link quickParts}. */
export async function security(length: Length): Promise<Tally> {
  return runSuite("security", length === "proof" ? [] : [...short, ...quickParts.flatMap((part) => ["--only", part])]);
}

/** Runs a suite that writes its counts to test-results. */
async function runSuite(name: "torture" | "security", args: string[]): Promise<Tally> {
  const report = at("test-results", `${name}.json`);
  rmSync(report, { force: true });
  const code = await runScript(at(name, "run.ts"), args);
  if (!existsSync(report)) return judged(nothing, code);
  const { passed, failed, skipped }: Tally = JSON.parse(readFileSync(report, "utf8"));
  return judged({ passed, failed, skipped }, code);
}

type BrowserSuite = {
  suites?: BrowserSuite[];
  specs?: { title: string; file: string; tests: { status: string; results: { error?: { message?: string } }[] }[] }[];
};
type BrowserReport = BrowserSuite & {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
};

/** Projects of playwright.config.ts that `npm test` runs; a proof runs all. */
const browserProjects = ["--project", "desktop", "--project", "phone"];

export async function browser(length: Length): Promise<Tally> {
  const chromium = haveChromium();
  if (chromium === undefined) return check(false);
  const report = at("test-results", "e2e.json");
  rmSync(report, { force: true });
  const args = length === "proof" ? [] : [...browserProjects, ...shardArguments];
  const code = await show("playwright", ["test", ...args], { CHROMIUM_PATH: chromium });
  const found: BrowserReport | undefined = readJson(report);
  if (found === undefined) return judged(nothing, code);
  const { expected, unexpected, flaky, skipped } = found.stats;
  const counted = { passed: expected + flaky, failed: unexpected, skipped, notes: shardNotes };
  return judged(withRetried(counted, retriedIn(found), length === "proof"), code);
}

function retriedIn({ suites = [], specs = [] }: BrowserSuite): RetriedTest[] {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests
      .filter(({ status }) => status === "flaky")
      .map(({ results }) => ({ title: `${file}: ${title}`, error: results[0]?.error?.message ?? "" })),
  );
  return [...own, ...suites.flatMap(retriedIn)];
}

/** Runs ten minutes of ordinary use to detect growth of memory. The bench counts as one check. */
export async function soak(): Promise<Tally> {
  return check((await runScript(at("bench", "run.ts"), ["--only", "soak", "--check"])) === 0);
}
