import type { ServerProcess } from "../../testing/servers/server-process.ts";
import { endServer } from "../arrangements/arrangement.ts";
import { replyLimits } from "../arrangements/open-arrangement.ts";
import { liveThrough } from "../clients/live-through.ts";
import { chatsOf, peopleOf } from "../clients/person.ts";
import type { Fault, Harness } from "../harness.ts";
import { checkAll } from "../ledger/check-all.ts";
import type { Guarantee } from "../report.ts";
import { KillWindows, paceOfReply } from "./kill-windows.ts";

const PEOPLE = 8;
/** Tolerance of a shutdown beyond the grace period. */
const SLACK_MS = 2000;

const gone: Guarantee = { claim: "SIGTERM to exit", allowed: replyLimits.graceMs + SLACK_MS, unit: "ms" };
const away: Guarantee = { claim: "a deploy of one process keeps readers waiting for", allowed: 10_000, unit: "ms" };

/** R4: each process is restarted with SIGTERM repeatedly during sends. */
export const restarts: Fault = async (harness) => {
  const { arrangement, random, extent } = harness;
  const people = peopleOf(harness, PEOPLE);
  const windows = new KillWindows({ random, paceMs: await paceOfReply(harness), lives: people });
  await liveThrough(harness, people, async () => {
    for (let count = 0; count < extent.restarts; count++) {
      for (const server of arrangement.servers) {
        await windows.next();
        await restart(harness, server);
      }
    }
  });
  await checkAll(harness, chatsOf(people));
};

async function restart({ arrangement, report }: Harness, server: ServerProcess): Promise<void> {
  const startedAt = performance.now();
  const readiness = fetch(`${server.url}/readyz`).then(
    ({ status }) => status,
    () => 0,
  );
  report.check("a server is ready until its shutdown is requested", (await readiness) === 200, `${await readiness}`);
  const code = await endServer(server, "SIGTERM");
  report.count("SIGTERM");
  report.measure(gone, performance.now() - startedAt);
  report.check("SIGTERM stops a server with exit code 0", code === 0, `exit code ${code}`);
  await server.start();
  if (arrangement.servers.length === 1) report.measure(away, performance.now() - startedAt);
}
