import { setTimeout as delay } from "node:timers/promises";
import { endServer } from "../arrangements/arrangement.ts";
import { liveThrough } from "../clients/live-through.ts";
import { chatsOf, peopleOf } from "../clients/person.ts";
import type { Fault } from "../harness.ts";
import { checkAll } from "../ledger/check-all.ts";
import type { Guarantee } from "../report.ts";
import { KillWindows, paceOfReply } from "./kill-windows.ts";

const PEOPLE = 5;
/** Some processes stay dead for longer than a lease. */
const LONG_ABSENCE_MS = 7000;

const boot: Guarantee = { claim: "start after a kill", allowed: 5000, unit: "ms" };

/** R3: SIGKILL at any time of sending, streaming, ending, titling and deleting (R17: the data folder is unlocked). */
export const kills: Fault = async (harness) => {
  const { arrangement, random, report, extent } = harness;
  const people = peopleOf(harness, PEOPLE);
  const windows = new KillWindows({ random, paceMs: await paceOfReply(harness), lives: people });
  await liveThrough(harness, people, async () => {
    for (let count = 0; count < extent.kills; count++) {
      await windows.next();
      const server = random.pick(arrangement.servers);
      await endServer(server, "SIGKILL");
      report.count("SIGKILL");
      const isLong = arrangement.servers.length > 1 && random.chance(0.3);
      await delay(random.between(0, isLong ? LONG_ABSENCE_MS : 200));
      report.measure(boot, await server.start());
    }
  });
  await checkAll(harness, chatsOf(people));
};
