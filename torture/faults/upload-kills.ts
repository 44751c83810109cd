import { admin } from "../../testing/cli/run-admin.ts";
import type { ServerProcess } from "../../testing/servers/server-process.ts";
import { endServer } from "../arrangements/arrangement.ts";
import { replyLimits } from "../arrangements/open-arrangement.ts";
import { settleAll } from "../bounded.ts";
import { liveThrough } from "../clients/live-through.ts";
import { Uploader } from "../clients/uploader.ts";
import type { Fault, Harness } from "../harness.ts";
import { checkAll } from "../ledger/check-all.ts";
import type { Guarantee } from "../report.ts";
import { KillWindows, paceOf } from "./kill-windows.ts";

const PEOPLE = 4;

const gone: Guarantee = { claim: "SIGTERM to exit during uploads", allowed: replyLimits.graceMs + 2000, unit: "ms" };

/** A third of the ends are orderly. */
const SIGNALS = ["SIGKILL", "SIGKILL", "SIGTERM"] as const;

/**
 * R3, R4: SIGKILL and SIGTERM at any time of uploading, reading, sending and removing files. In the end every
 * acknowledged file has its bytes, and no bytes are left without a file. No upload delays an orderly end.
 */
export const uploadKills: Fault = async (harness) => {
  const { arrangement, random, extent } = harness;
  const people = await settleAll(
    Array.from({ length: PEOPLE }, (_, at) => Uploader.create(harness, random.fork(`uploader ${at}`))),
  );
  // Together, as they upload between the kills, and with the start of the process that reads documents.
  const paceMs = await paceOf(() => settleAll(people.map((person) => person.uploadLargest())));
  const windows = new KillWindows({ random, paceMs, lives: people });
  await liveThrough(harness, people, async () => {
    for (let count = 0; count < extent.kills; count++) {
      await windows.next();
      const server = random.pick(arrangement.servers);
      await end(harness, server, random.pick(SIGNALS));
      await server.start();
    }
  });
  for (const person of people) await person.check();
  await checkAll(
    harness,
    people.map(({ chat }) => chat),
  );
  await checkStores(harness);
};

async function end({ report }: Harness, server: ServerProcess, signal: (typeof SIGNALS)[number]): Promise<void> {
  const startedAt = performance.now();
  const code = await endServer(server, signal);
  report.count(signal);
  if (signal === "SIGKILL") return;
  report.measure(gone, performance.now() - startedAt);
  report.check("SIGTERM stops a server with uploads with exit code 0", code === 0, `exit code ${code}`);
}

/** Compares rows and bytes by the administrator's command. */
async function checkStores({ arrangement, report }: Harness): Promise<void> {
  const [server] = arrangement.servers;
  const { json } = await admin({ dataDir: server.dataDir, env: arrangement.env }, ["files", "verify", "--json"]);
  const found = JSON.stringify(json);
  const isSound = JSON.stringify([json.missing, json.damaged]) === "[[],[]]";
  report.check("after kills every ready file has its bytes", isSound && Number(json.files) > 0, found);
}
