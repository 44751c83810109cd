import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export type Revision = "2025-11-25" | "2026-07-28";

const SUITE = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));
const CLIENT = fileURLToPath(new URL("./conformance-client.ts", import.meta.url));

/** Returns the scenarios that a revision requires of clients; `auth/…` are those of sign-in. */
export function requiredScenarios(revision: Revision): string[] {
  const text = readFileSync(new URL(`../requirements/${revision}.yaml`, new URL(`file://${SUITE}`)), "utf8");
  const [, section = ""] = /^client:\n((?: {2}- .+\n)+)/m.exec(text) ?? [];
  return section.split("\n").flatMap((line) => (line === "" ? [] : [line.replace(/^ {2}- /, "")]));
}

/** Runs a scenario of the official suite against our client, and returns its report. */
export async function runScenario(scenario: string, revision: Revision): Promise<string> {
  const command = `${process.execPath} ${CLIENT}`;
  const args = [
    SUITE,
    "client",
    "--command",
    command,
    "--scenario",
    scenario,
    "--spec-version",
    revision,
    "--timeout",
    "120000",
  ];
  const { promise, resolve } = Promise.withResolvers<string>();
  // It ends with an error if a check fails, which the report names.
  execFile(process.execPath, args, (_error, stdout, stderr) => resolve(stdout + stderr));
  return promise;
}
