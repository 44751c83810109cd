import { setTimeout as delay } from "node:timers/promises";
import type { ServerProcess } from "../../testing/servers/server-process.ts";
import { replyLimits } from "../arrangements/open-arrangement.ts";
import { Person } from "../clients/person.ts";
import type { Fault, Harness } from "../harness.ts";
import { checkAll } from "../ledger/check-all.ts";
import type { Guarantee } from "../report.ts";

const PEOPLE = 8;
/** Tolerance of a shutdown beyond the grace period. */
const SLACK_MS = 2000;

const gone: Guarantee = { claim: "SIGTERM to exit", allowed: replyLimits.graceMs + SLACK_MS, unit: "ms" };
const away: Guarantee = { claim: "a deploy of one process keeps readers waiting for", allowed: 10_000, unit: "ms" };

/** R4: each process is restarted with SIGTERM repeatedly during sends. */
export const restarts: Fault = async (harness) => {
  const { arrangement, random, extent } = harness;
  let isOver = false;
  const people = Array.from({ length: PEOPLE }, (_, index) => new Person(harness, random.fork(`person ${index}`)));
  const lives = Promise.all(people.map((person) => person.live(() => isOver)));
  for (let count = 0; count < extent.restarts; count++) {
    for (const server of arrangement.servers) {
      await delay(random.between(300, 1200));
      await restart(harness, server);
    }
  }
  isOver = true;
  await lives;
  await checkAll(
    harness,
    people.flatMap(({ chats }) => chats),
  );
};

async function restart({ arrangement, report }: Harness, server: ServerProcess): Promise<void> {
  const startedAt = performance.now();
  const readiness = fetch(`${server.url}/readyz`).then(
    ({ status }) => status,
    () => 0,
  );
  report.check("a server is ready until its shutdown is requested", (await readiness) === 200, `${await readiness}`);
  const code = await server.end("SIGTERM");
  report.count("SIGTERM");
  report.measure(gone, performance.now() - startedAt);
  report.check("SIGTERM stops a server with exit code 0", code === 0, `exit code ${code}`);
  await server.start();
  if (arrangement.servers.length === 1) report.measure(away, performance.now() - startedAt);
}
