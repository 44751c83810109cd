// `npm run security` tests every line of the checklist on real servers, from outside, and prints the trials, their
// numbers of inputs, and the results.
import { constants } from "node:os";
import process from "node:process";
import { findPostgres } from "../scripts/test/services.ts";
import { Random } from "../testing/app/random.ts";
import { allSuites } from "./all-suites.ts";
import { isLine, type LineId, lines } from "./lines.ts";
import { type Options, readOptions, usage } from "./options.ts";
import { Report, writeResults } from "./report.ts";
import { runNamedTests } from "./run-named-tests.ts";
import type { Harness } from "./security-suite.ts";
import { type Site, type SiteOptions, startSite } from "./site.ts";
import { addForgottenLines, tableOf } from "./table.ts";

/** Timeout of the clean-up after a signal. */
const END_WITHIN_MS = 5000;

type Chosen = (typeof allSuites)[number];

const isWaiting = ({ suite }: Chosen) => suite.name === "rendering" || suite.name === "fuzz";

const say = (line: string) => console.log(line);
const openSites = new Set<Site>();

const options = readOptions(process.argv.slice(2));
if (options.isHelp) say(usage);
else if (options.isList) listSuites();
else await main(options);

function listSuites(): void {
  for (const { suite, lines: tried } of allSuites) say(`${suite.name.padEnd(14)} ${tried.join(" ")}`);
}

async function main({ seed, only, isShort, fuzzSeconds }: Options): Promise<void> {
  endWithUs();
  const report = new Report(say);
  const hasPostgres = (await findPostgres()) !== undefined;
  if (!hasPostgres) reportAbsent(report, "PostgreSQL does not answer (TEST_DATABASE_URL names it)");
  say(`Seed ${seed}`);
  const run = async ({ suite, lines: tried }: Chosen) => {
    say(`\n── ${suite.name}`);
    const startedAt = performance.now();
    const random = new Random(`${seed}/${suite.name}`);
    const harness: Harness = { isShort, seed, fuzzSeconds, random, report, hasPostgres, startSite: startOwnSite };
    await suite.run(harness).catch((error: unknown) => {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const [line = "J4"] = tried;
      report.add({ line, tried: `the part ${suite.name}, which failed`, inputs: 0, held: false, detail: reason });
    });
    say(`   ${suite.name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  };
  const isChosen = ({ suite, lines: tried }: Chosen) =>
    only.length === 0 || only.some((name) => name === suite.name || tried.some((line) => line === name));
  const chosen = allSuites.filter(isChosen);
  // A short run measures no times, so suites that mostly wait run in parallel to the others.
  const lanes = isShort ? [chosen.filter(isWaiting), chosen.filter((one) => !isWaiting(one))] : [chosen];
  await Promise.all(
    lanes.map(async (lane) => {
      for (const one of lane) await run(one);
    }),
  );
  const isWhole = only.length === 0;
  const named = linesOfNamedTests({ only, isShort });
  if (named.length > 0) {
    say("\n── named tests");
    await runNamedTests(report, named, { hasPostgres });
  }
  if (isWhole) addForgottenLines(report, { isShort });
  say("\nLine, trials, number of inputs, held or not");
  for (const line of tableOf(report.rows, isWhole)) say(line);
  reportEnd(report, seed);
  await writeResults(report.rows, report.skipped);
}

/** Lines whose named tests run: all in a full run, or the lines of `--only`. */
function linesOfNamedTests({ only, isShort }: Pick<Options, "only" | "isShort">): LineId[] {
  if (only.length > 0) return only.filter(isLine);
  return isShort ? [] : (Object.keys(lines) as LineId[]);
}

function reportEnd(report: Report, seed: string): void {
  const failed = report.rows.filter(({ held }) => !held);
  say(`\n${report.rows.length} rows, ${failed.length} did not hold`);
  for (const { line, tried, detail } of failed) say(`✗ ${line} ${tried}${detail ? `: ${detail}` : ""}`);
  if (failed.length > 0) say(`To reproduce: npm run security -- --seed ${seed} --only ${failed[0]?.line}`);
  process.exitCode = failed.length > 0 || report.rows.length === 0 ? 1 : 0;
}

function reportAbsent(report: Report, what: string): void {
  if (process.env.CI) report.add({ line: "B5", tried: what, inputs: 0, held: false });
  else report.skip(`${what}: tests that need it are skipped`);
}

async function startOwnSite(siteOptions?: SiteOptions): Promise<Site> {
  const site = await startSite(siteOptions);
  openSites.add(site);
  return {
    ...site,
    get url() {
      return site.server.url;
    },
    [Symbol.asyncDispose]: async () => {
      openSites.delete(site);
      await site[Symbol.asyncDispose]();
    },
  };
}

/** Ends servers and removes data on a signal. */
function endWithUs(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      const exit = () => process.exit(128 + constants.signals[signal]);
      setTimeout(exit, END_WITHIN_MS);
      void Promise.allSettled([...openSites].map((site) => site[Symbol.asyncDispose]())).finally(exit);
    });
  }
}
