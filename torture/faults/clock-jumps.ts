import { setTimeout as delay } from "node:timers/promises";
import { liveThrough } from "../clients/live-through.ts";
import { chatsOf, peopleOf } from "../clients/person.ts";
import type { Fault } from "../harness.ts";
import { checkAll } from "../ledger/check-all.ts";

const PEOPLE = 4;
/** One step forward and one back. */
const STEPS = 2;

/** R19: the wall clock of one server jumps an hour forward and back during sends. */
export const clockJumps: Fault = async (harness) => {
  const { arrangement, random, report, extent } = harness;
  const people = peopleOf(harness, PEOPLE);
  await liveThrough(harness, people, async () => {
    for (let round = 0; round < extent.rounds; round++) {
      const server = random.pick(arrangement.servers);
      for (let step = 0; step < STEPS; step++) {
        await delay(random.between(300, 900));
        server.stepClock();
        report.count("step of the clock by an hour");
      }
    }
  });
  await checkAll(harness, chatsOf(people));
};
