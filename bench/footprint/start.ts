import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { MeasuredProcess } from "../harness/measured-process.ts";
import { startParley } from "../harness/parley.ts";
import type { Row } from "../results/row.ts";
import { median } from "../results/statistics.ts";

const RUNS = 7;
const SETTLE_MS = 3000;
const bareServer = "require('node:http').createServer().listen(0, () => console.log('ready now'))";
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Measures the time to listen and the idle memory, beside an empty Node server, and the installed size. */
export async function measureStart(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-bench-"));
  const parley = { ready: [] as number[], cpu: [] as number[], rss: [] as number[] };
  const bare = { ready: [] as number[], cpu: [] as number[], rss: [] as number[] };
  for (let run = 0; run <= RUNS; run++) {
    await using server = await startParley({}, dataDir);
    const cpuMs = server.process.cpuMs();
    const startedAt = performance.now();
    await using yardstick = new MeasuredProcess(["-e", bareServer]);
    await yardstick.said(/ready (now)/);
    const bareReadyMs = performance.now() - startedAt;
    const bareCpuMs = yardstick.cpuMs();
    await setTimeout(SETTLE_MS);
    // The first run creates the data folder and fills the compile cache.
    if (run === 0) continue;
    parley.ready.push(server.process.readyMs);
    parley.cpu.push(cpuMs);
    parley.rss.push(server.process.rssMb());
    bare.ready.push(bareReadyMs);
    bare.cpu.push(bareCpuMs);
    bare.rss.push(yardstick.rssMb());
  }
  await rm(dataDir, { recursive: true });
  const row = (name: string, unit: Row["unit"], of: keyof typeof parley): Row => ({
    name,
    value: median(parley[of]),
    unit,
    yardstick: { name: "bare Node", value: median(bare[of]) },
  });
  return [
    { ...row("from the start to listening", "ms", "ready"), allowed: 1000 },
    row("processor time of a start", "ms", "cpu"),
    { ...row("memory when idle", "MB", "rss"), allowed: 120 },
    ...sizes(),
  ];
}

/** Size of the installation: production packages for this platform (without Node itself), and the build. */
function sizes(): Row[] {
  const folders = installedFolders().filter((folder) => !/node_modules\/node(-linux-\w+|-win-\w+)?$/.test(folder));
  const packages = folders.reduce((sum, folder) => sum + sizeOf(folder, folder), 0);
  const size = (name: string, bytes: number): Row => ({ name, value: bytes / 1e6, unit: "MB" });
  return [
    size("packages to run it, without Node", packages),
    { name: "packages to run it, how many", value: folders.length, unit: "count" },
    size("the build, source maps and compressed files included", sizeOf(join(root, "build"))),
  ];
}

function installedFolders(): string[] {
  const npm = ["ls", "--omit=dev", "--all", "--parseable"];
  return execFileSync("npm", npm, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
    .split("\n")
    .filter((line) => line.includes("node_modules"));
}

/** Bytes of all files below a folder. `ofPackage`: nested packages are left out, because they are listed separately. */
function sizeOf(folder: string, ofPackage?: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return sum + statSync(path).size;
    const isNested = ofPackage !== undefined && entry.name === "node_modules";
    return entry.isDirectory() && !isNested ? sum + sizeOf(path, ofPackage) : sum;
  }, 0);
}
