import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { MeasuredProcess } from "./measured-process.ts";
import { startParley } from "./parley.ts";
import { median, report } from "./report.ts";

const RUNS = 5;
const SETTLE_MS = 3000;
const bareServer = "require('node:http').createServer().listen(0, () => console.log('ready now'))";

/** How long the server takes to listen, and what it holds when idle, beside a Node server that does nothing. */
export async function measureStart(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-bench-"));
  const parley = { ready: [] as number[], rss: [] as number[] };
  const bare = { rss: [] as number[] };
  for (let run = 0; run <= RUNS; run++) {
    await using server = await startParley({}, dataDir);
    await using yardstick = new MeasuredProcess(["-e", bareServer], {});
    await yardstick.said(/ready (now)/);
    await setTimeout(SETTLE_MS);
    // The first run makes the data folder and fills the compile cache.
    if (run === 0) continue;
    parley.ready.push(server.process.readyMs);
    parley.rss.push(server.process.rssMb());
    bare.rss.push(yardstick.rssMb());
  }
  await rm(dataDir, { recursive: true });
  report("start", { "ready after ms": median(parley.ready), "allowed ms": 1000 });
  report("idle memory", { "Parley MB": median(parley.rss), "bare Node MB": median(bare.rss), "allowed MB": 120 });
}
