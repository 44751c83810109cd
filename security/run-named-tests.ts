import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { root } from "../scripts/child.mjs";
import { findChromium } from "../scripts/find-chromium.ts";
import { findRedis } from "../scripts/test/services.ts";
import { start } from "../scripts/test/tools.ts";
import type { LineId } from "./lines.ts";
import { idsIn, testsByLine } from "./named-tests.ts";
import { type Report, type Row, Trial } from "./report.ts";

/** Selects tests whose full name contains an id. Their titles decide afterwards whether they count. */
const ANY_ID = "\\b[A-P]\\d{1,2}\\b";
/** Lines of a test runner's output that are printed if it writes no results. */
const OUTPUT_LINES = 20;

/** The two projects of vitest.config.ts that together run all server tests on PostgreSQL. */
const POSTGRES_PROJECTS = ["server-postgres", "server-postgres-rest"];

type Result = {
  /** Path in the repository. */
  file: string;
  /** Titles of the groups and of the test. */
  titles: readonly string[];
  state: "passed" | "failed" | "skipped";
  message?: string;
};

type Services = { hasPostgres: boolean };

/** Runs the tests that name one of `lines`, and adds a row for each line and test file. */
export async function runNamedTests(report: Report, lines: readonly LineId[], services: Services): Promise<void> {
  const wanted = [...testsByLine()].filter(([line]) => lines.includes(line));
  const files = [...new Set(wanted.flatMap(([, named]) => named))];
  const inBrowser = files.filter((file) => file.startsWith("e2e/"));
  const others = files.filter((file) => !inBrowser.includes(file));
  const results = [
    ...(await orNone(() => vitestResults(others, services))),
    ...(await orNone(() => playwrightResults(inBrowser))),
  ];
  const rows = rowsOf(results).filter(({ line }) => lines.includes(line));
  for (const row of rows) report.add(row);
  for (const [line, named] of wanted) {
    for (const file of named) {
      if (rows.some((row) => row.line === line && row.tried === file)) continue;
      const isSkipped = results.some((result) => result.file === file && linesOf(result).includes(line));
      if (isSkipped) report.skip(`${line} ${file}: its tests are skipped here`);
      else report.add({ line, tried: file, inputs: 0, held: false, detail: "its tests did not run" });
    }
  }
}

/** If the runner fails, returns no results, so that each of its files gets a failed row. */
async function orNone(run: () => Promise<Result[]>): Promise<Result[]> {
  return run().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    return [];
  });
}

const linesOf = ({ titles }: Result): LineId[] => [...new Set(titles.flatMap(idsIn))];

/**
 * A row for each line and file: the number of its tests, and whether all of them passed. Skipped tests do not count.
 */
function rowsOf(results: readonly Result[]): Row[] {
  const ran = results
    .filter(({ state }) => state !== "skipped")
    .flatMap((result) => linesOf(result).map((line) => ({ line, result })));
  const groups = Map.groupBy(ran, ({ line, result: { file } }) => `${line} ${file}`);
  return [...groups.values()].flatMap((tests) => {
    const [first] = tests;
    if (!first) return [];
    const trial = new Trial();
    for (const { result } of tests) {
      const { titles, state, message = "" } = result;
      trial.expect(state === "passed", () => `${titles.join(" > ")}: ${message.split("\n")[0]}`);
    }
    return [trial.toRow(first.line, first.result.file)];
  });
}

type VitestReport = {
  testResults: {
    name: string;
    assertionResults: { ancestorTitles: string[]; title: string; status: string; failureMessages?: string[] | null }[];
  }[];
};

/** Runs files on SQLite; files whose tests all need PostgreSQL run there if it is available. */
async function vitestResults(files: readonly string[], { hasPostgres }: Services): Promise<Result[]> {
  const onSqlite = await runVitest(files, ["unit", "web", "server-sqlite"]);
  const skipped = files.filter((file) => {
    const own = onSqlite.filter((result) => result.file === file && linesOf(result).length > 0);
    return own.length > 0 && own.every(({ state }) => state === "skipped");
  });
  return hasPostgres ? [...onSqlite, ...(await runVitest(skipped, POSTGRES_PROJECTS))] : onSqlite;
}

async function runVitest(files: readonly string[], projects: readonly string[]): Promise<Result[]> {
  if (files.length === 0) return [];
  const redis = await findRedis();
  const env = { NO_COLOR: "1", ...(redis !== undefined && { TEST_REDIS_URL: redis }) };
  const reported = await resultsOf((file) => ({
    args: [
      join(root, "node_modules", "vitest", "vitest.mjs"),
      "run",
      ...projects.flatMap((name) => ["--project", name]),
      "--reporter=json",
      `--outputFile=${file}`,
      "--testNamePattern",
      ANY_ID,
      ...files,
    ],
    env,
  }));
  const { testResults }: VitestReport = JSON.parse(reported);
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status, failureMessages }) => ({
      file: relative(root, name),
      titles: [...ancestorTitles, title],
      state: status === "passed" || status === "failed" ? status : "skipped",
      ...(failureMessages?.[0] !== undefined && { message: failureMessages[0] }),
    })),
  );
}

type PlaywrightSuite = { title: string; specs?: PlaywrightSpec[]; suites?: PlaywrightSuite[] };
type PlaywrightSpec = {
  title: string;
  file: string;
  tests: { status: "expected" | "unexpected" | "flaky" | "skipped"; results: { error?: { message?: string } }[] }[];
};
type PlaywrightReport = { config: { rootDir: string }; suites: PlaywrightSuite[] };

async function playwrightResults(files: readonly string[]): Promise<Result[]> {
  if (files.length === 0) return [];
  const chromium = findChromium();
  const reported = await resultsOf((file) => ({
    args: [
      join(root, "node_modules", "@playwright", "test", "cli.js"),
      "test",
      "--reporter=json",
      `--grep=${ANY_ID}`,
      ...files,
    ],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file, ...(chromium !== undefined && { CHROMIUM_PATH: chromium }) },
  }));
  const { config, suites }: PlaywrightReport = JSON.parse(reported);
  // The outermost suites are the files.
  return suites
    .flatMap((suite) => specsIn(suite))
    .flatMap(({ titles, spec }) => {
      const file = relative(root, join(config.rootDir, spec.file));
      return spec.tests.map(({ status, results }) => {
        const state = status === "expected" ? "passed" : status === "skipped" ? "skipped" : "failed";
        const message = results.find(({ error }) => error !== undefined)?.error?.message;
        return { file, titles, state, ...(message !== undefined && { message }) } as const;
      });
    });
}

function specsIn(suite: PlaywrightSuite, above: readonly string[] = []): { titles: string[]; spec: PlaywrightSpec }[] {
  const titles = suite.title === "" ? above : [...above, suite.title];
  return [
    ...(suite.specs ?? []).map((spec) => ({ titles: [...titles, spec.title], spec })),
    ...(suite.suites ?? []).flatMap((inner) => specsIn(inner, titles)),
  ];
}

type Program = { args: string[]; env: Record<string, string> };

/** Runs a test runner that writes JSON to a given file. @throws if it writes none */
async function resultsOf(programFor: (file: string) => Program): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "parley-named-tests-"));
  try {
    const file = join(folder, "results.json");
    const { args, env } = programFor(file);
    const runner = start(process.execPath, args, { env, stdio: "pipe" });
    const end = () => runner.kill("SIGTERM");
    process.once("exit", end);
    const output = await Promise.all([runner.stdout, runner.stderr].map((stream) => (stream ? text(stream) : "")));
    process.off("exit", end);
    if (existsSync(file)) return readFileSync(file, "utf8");
    const reported = output.join("").trimEnd().split("\n").slice(-OUTPUT_LINES).join("\n");
    throw new Error(`The test runner wrote no results:\n${reported}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
