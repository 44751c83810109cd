import { setTimeout as delay } from "node:timers/promises";
import { startAll } from "../arrangements/arrangement.ts";
import { Person } from "../clients/person.ts";
import type { Fault } from "../harness.ts";
import { checkAll } from "../ledger/check-all.ts";
import type { Guarantee } from "../report.ts";

const PEOPLE = 5;
/** Some processes stay dead for longer than a lease. */
const LONG_ABSENCE_MS = 7000;

const boot: Guarantee = { claim: "start after a kill", allowed: 5000, unit: "ms" };

/** R3: SIGKILL at any time of sending, streaming, ending, titling and deleting (R17: the data folder is unlocked). */
export const kills: Fault = async (harness) => {
  const { arrangement, random, report, extent } = harness;
  let isOver = false;
  const people = Array.from({ length: PEOPLE }, (_, index) => new Person(harness, random.fork(`person ${index}`)));
  const lives = Promise.all(people.map((person) => person.live(() => isOver)));
  for (let count = 0; count < extent.kills; count++) {
    await delay(random.between(50, 900));
    const server = random.pick(arrangement.servers);
    await server.end("SIGKILL");
    report.count("SIGKILL");
    const isLong = arrangement.servers.length > 1 && random.chance(0.3);
    await delay(random.between(0, isLong ? LONG_ABSENCE_MS : 200));
    report.measure(boot, await server.start());
  }
  await startAll(arrangement);
  isOver = true;
  await lives;
  await checkAll(
    harness,
    people.flatMap(({ chats }) => chats),
  );
};
