import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SUITE = new URL(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));
const CLIENT = fileURLToPath(new URL("./conformance-auth.ts", import.meta.url));

/** Revisions of the protocol with scenarios of sign-ins. */
export const authRevisions = ["2025-11-25", "2026-07-28"] as const;
type AuthRevision = (typeof authRevisions)[number];

/** Returns the scenarios of sign-ins that a revision requires of clients. */
export async function authScenariosOf(revision: AuthRevision): Promise<string[]> {
  const text = await readFile(new URL(`../requirements/${revision}.yaml`, SUITE), "utf8");
  const [, section = ""] = /^client:\n((?: {2}- .+\n)+)/m.exec(text) ?? [];
  return [...section.matchAll(/^ {2}- (auth\/.+)$/gm)].map(([, scenario = ""]) => scenario);
}

/** Runs a scenario of the official suite against our flow. @returns its report, which says `OVERALL: PASSED` */
export async function runAuthScenario(scenario: string, revision: AuthRevision): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "parley-conformance-"));
  const { promise, resolve } = Promise.withResolvers<string>();
  const which = ["--scenario", scenario, "--spec-version", revision, "--timeout", "120000", "-o", folder];
  const args = [fileURLToPath(SUITE), "client", "--command", `${process.execPath} ${CLIENT}`, ...which];
  // It exits with an error if a check fails, which the report names.
  execFile(process.execPath, args, (_error, stdout, stderr) => resolve(stdout + stderr));
  try {
    return await promise;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
