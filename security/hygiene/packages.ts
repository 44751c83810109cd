import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { root } from "../../scripts/child.mjs";
import type { Suite } from "../security-suite.ts";

type Lock = {
  packages: Record<
    string,
    { dev?: boolean; integrity?: string; hasInstallScript?: boolean; link?: boolean; optional?: boolean }
  >;
};

/** J7: installed run-time packages. */
export const packages: Suite = {
  name: "packages",
  async run({ report }) {
    const lock: Lock = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8"));
    await report.try("J7", "the lockfile's packages: pinned, with checksums, no install scripts", async (trial) => {
      for (const [path, { integrity, hasInstallScript, dev, link, optional }] of Object.entries(lock.packages)) {
        if (path === "" || link) continue;
        // Packages of other platforms may have no checksum (scripts/complete-lockfile.ts).
        trial.expect(Boolean(integrity) || optional === true, `${path} has no checksum`);
        trial.expect(!hasInstallScript || dev === true, `${path} wants to run a script`);
      }
      const prepare = await readFile(join(root, "scripts", "prepare.mjs"), "utf8");
      trial.expect(prepare.includes("--ignore-scripts"), "the install runs scripts of packages");
    });
    const audit = spawnSync("npm", ["audit", "--omit=dev", "--json"], {
      cwd: root,
      encoding: "utf8",
      env: process.env,
    });
    const counts = countsOf(audit.stdout);
    if (!counts) return report.skip("npm audit: the registry of this machine does not support audits");
    await report.try("J7", "npm audit of the run-time dependencies", (trial) => {
      const grave = (counts.high ?? 0) + (counts.critical ?? 0);
      trial.count(Object.keys(lock.packages).length);
      trial.expect(grave === 0, `${grave} severe vulnerabilities`);
    });
  },
};

function countsOf(output: string): Record<string, number> | undefined {
  try {
    return JSON.parse(output).metadata?.vulnerabilities;
  } catch {
    return undefined;
  }
}
