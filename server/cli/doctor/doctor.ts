import { SECOND } from "#contract/limits.ts";
import { ConfigError } from "../../config/config.ts";
import { findSecretKey, warnOfKeyFile } from "../../config/secret-key.ts";
import type { Secrets } from "../../config/secrets.ts";
import { Outbound } from "../../outbound/outbound.ts";
import type { Call, Command, Outcome } from "../command.ts";
import { databaseExists, openForReading } from "../open-installation.ts";
import { askPublicAddress, checkAddress, isRunningHere } from "./address-check.ts";
import { checkConnections, checkWebSearch } from "./connection-checks.ts";
import { checkClock, checkDatabase, type OpenedDatabase } from "./database-checks.ts";
import { type Check, type CheckDeps, type Finding, failure, ok, runCheck, warning } from "./finding.ts";
import { checkDataFolder, checkDisk } from "./folder-checks.ts";
import { checkFiles, checkMail, checkProxies, checkRedis } from "./service-checks.ts";

const LIMIT_MS = 10 * SECOND;
/** For checks that run other checks, each with its own limit. */
const SEVERAL_MS = 3 * LIMIT_MS;
const STATE_WIDTH = "failure".length;

/** Command that checks everything that the server needs. */
export const doctor: Command = {
  name: "doctor",
  usage: "",
  summary: "Checks folder, disk, clock, database, proxy, mail, connections and the public address, and what to do.",
  details: [
    "Runs beside a server and without one. Changes nothing, and sends no mail. The test of a search engine is one query.",
    "Ends with exit code 1 if a check fails; warnings do not count.",
  ],
  async run(call): Promise<Outcome> {
    const { findings, hidden } = await check(call);
    const shown = findings.map((finding) => masked(finding, hidden));
    const isFailed = shown.some(({ state }) => state === "failure");
    return {
      data: { version: call.world.version, checks: shown },
      lines: shown.map(toLine),
      ...(isFailed && { word: "failed" as const }),
    };
  },
};

function toLine({ check, state, found, advice }: Finding): string {
  return `${state.padEnd(STATE_WIDTH)}  ${check}: ${found}${advice ? ` → ${advice}` : ""}`;
}

async function check(call: Call): Promise<{ findings: Finding[]; hidden: readonly string[] }> {
  try {
    call.configuration();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const findings = error.problems.map((problem) => failure("settings", problem, "Correct it (.env.example)."));
    return { findings, hidden: [] };
  }
  const { config, secrets, warnings } = call.configuration();
  const secretKey = await findSecretKey(config.dataDir, secrets.secretKey);
  const deps: CheckDeps = { config, secrets, secretKey, outbound: new Outbound(secrets.proxies), limitMs: LIMIT_MS };
  await using opened = new AsyncDisposableStack();
  const opening = openFor(call, opened);
  const asking = askPublicAddress(deps);
  const running = isRunningHere(deps);
  const reading = asking.then((answer) => ("error" in answer || Number.isNaN(answer.answeredAt) ? undefined : answer));
  const settings = async () => settingsFindings([...warnings, ...(await warnOfKeyFile(config, secrets))]);
  const checks: [name: string, check: Check, limitMs?: number][] = [
    ["settings", settings],
    ["data folder", () => checkDataFolder(deps)],
    ["disk", () => checkDisk(deps)],
    ["clock", () => checkClock(deps, opening, reading), SEVERAL_MS],
    ["database", () => checkDatabase(deps, opening)],
    ["redis", () => checkRedis(deps)],
    ["proxy", () => checkProxies(deps), SEVERAL_MS],
    ["mail", () => checkMail(deps)],
    ["connections", () => checkConnections(deps, opening), SEVERAL_MS],
    ["web search", () => checkWebSearch(deps, opening), SEVERAL_MS],
    ["attached files", () => checkFiles(deps)],
    ["public address", () => checkAddress(deps, asking, running), SEVERAL_MS],
  ];
  const found = await Promise.all(checks.map(([name, run, limitMs = LIMIT_MS]) => runCheck(name, limitMs, run)));
  return { findings: found.flat(), hidden: secretTexts(secrets, secretKey) };
}

function settingsFindings(warnings: readonly string[]): Finding[] {
  if (warnings.length === 0) return [ok("settings", "All settings are valid.")];
  return warnings.map((sentence) => warning("settings", sentence, "See docs/deployment.md."));
}

async function openFor(call: Call, opened: AsyncDisposableStack): Promise<OpenedDatabase> {
  try {
    if (!databaseExists(call)) return undefined;
    const database = opened.adopt(await openForReading(call), (db) => db.destroy());
    return { database };
  } catch (error) {
    return { error };
  }
}

/** Shortest text that is masked: a shorter one may be a part of any word. */
const MASKED_MIN = 4;

/** Returns all texts that must not be printed: secrets, and the passwords in their URLs. */
function secretTexts(secrets: Secrets, secretKey: string | undefined): string[] {
  const values = [secretKey, ...Object.values(secrets).flatMap((value) => textsIn(value))];
  return values.filter((text) => text !== undefined).filter((text) => text.length >= MASKED_MIN);
}

function textsIn(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap((each) => textsIn(each));
  if (typeof value !== "string") return [];
  const { password = "" } = URL.parse(value) ?? {};
  return [value, password, decoded(password)];
}

/** Returns a password of a URL as it is sent; one with a sign that is not escaped stays as it is. */
function decoded(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}

/** A message of another program may repeat what it received. */
function masked(finding: Finding, hidden: readonly string[]): Finding {
  const mask = (text: string) => hidden.reduce((left, secret) => left.replaceAll(secret, "••••"), text);
  return { ...finding, found: mask(finding.found), ...(finding.advice && { advice: mask(finding.advice) }) };
}
