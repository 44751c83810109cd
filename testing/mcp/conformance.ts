import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Revisions of the protocol that the official suite has requirements for. */
export const revisions = ["2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof revisions)[number];

const SUITE = new URL(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));
/** Begins the names of the scenarios of sign-ins. */
const AUTH = "auth/";

/** Returns the scenarios that a revision requires of clients: those of sign-ins, or the others. */
export function requiredScenarios(revision: Revision, { ofSignIns }: { ofSignIns: boolean }): string[] {
  const text = readFileSync(new URL(`../requirements/${revision}.yaml`, SUITE), "utf8");
  const [, section = ""] = /^client:\n((?: {2}- .+\n)+)/m.exec(text) ?? [];
  const scenarios = [...section.matchAll(/^ {2}- (.+)$/gm)].map(([, scenario = ""]) => scenario);
  return scenarios.filter((scenario) => scenario.startsWith(AUTH) === ofSignIns);
}

/** Runs a scenario of the official suite against our client. @returns its report, which says `OVERALL: PASSED` */
export async function runScenario(scenario: string, revision: Revision): Promise<string> {
  const driver = scenario.startsWith(AUTH) ? "./conformance-auth.ts" : "./conformance-client.ts";
  const command = `${process.execPath} ${fileURLToPath(new URL(driver, import.meta.url))}`;
  const folder = await mkdtemp(join(tmpdir(), "parley-conformance-"));
  const { promise, resolve } = Promise.withResolvers<string>();
  const which = ["--scenario", scenario, "--spec-version", revision, "--timeout", "120000", "-o", folder];
  const args = [fileURLToPath(SUITE), "client", "--command", command, ...which];
  // It ends with an error if a check fails, which the report names.
  execFile(process.execPath, args, (_error, stdout, stderr) => resolve(stdout + stderr));
  try {
    return await promise;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
