import { setTimeout as delay } from "node:timers/promises";
import { type Account, registerAtProcess } from "../../testing/accounts/process-account.ts";
import { startAll } from "../arrangements/arrangement.ts";
import { Person } from "../clients/person.ts";
import { followEvents } from "../guarantees/account-events.ts";
import { sendTooMany } from "../guarantees/concurrent-replies.ts";
import { endSession } from "../guarantees/ended-session.ts";
import { tryToSignIn } from "../guarantees/sign-in-limit.ts";
import type { Fault, Harness } from "../harness.ts";
import { checkAll } from "../ledger/check-all.ts";
import type { ChatRecord } from "../ledger/turn.ts";
import { sendTimes } from "./duplicates.ts";

const PEOPLE = 4;
const SAME_SENDS = 10;

/**
 * Guarantees for an account hold across all processes: limits, sessions, events and idempotency, while processes are
 * killed and restarted during sends.
 */
export const upheavals: Fault = async (harness) => {
  const { arrangement, random, extent } = harness;
  const accounts: Account[] = [];
  for (let count = 0; count < 3; count++)
    accounts.push(await registerAtProcess(arrangement.servers[0], arrangement.servers));
  const [writer, leaver, follower] = accounts;
  if (!writer || !leaver || !follower) return;
  let isOver = false;
  const people = Array.from({ length: PEOPLE }, (_, index) => new Person(harness, random.fork(`person ${index}`)));
  const lives = people.map((person) => person.live(() => isOver));
  const shaken = shake(harness, () => isOver);
  const repeated: ChatRecord[] = [];
  try {
    for (let round = 0; round < extent.rounds; round++) {
      const chat = await harness.client.createChat();
      repeated.push(chat);
      await Promise.all([
        tryToSignIn(harness),
        sendTooMany(harness, writer),
        endSession(harness, leaver),
        followEvents(harness, follower),
        sendTimes(harness, chat, SAME_SENDS),
      ]);
    }
  } finally {
    isOver = true;
    await shaken;
    await startAll(arrangement);
  }
  await Promise.all(lives);
  await checkAll(harness, [...people.flatMap(({ chats }) => chats), ...repeated]);
};

/** Ends one process after the other, alternately by SIGKILL and SIGTERM, and restarts it: two are always running. */
async function shake({ arrangement, random, report }: Harness, isOver: () => boolean): Promise<void> {
  for (let turn = 0; !isOver(); turn++) {
    await delay(random.between(300, 1500));
    const server = arrangement.servers[turn % arrangement.servers.length];
    const signal = turn % 2 === 0 ? "SIGKILL" : "SIGTERM";
    if (isOver() || !server) return;
    await server.end(signal);
    report.count(signal);
    await server.start();
  }
}
