import type { Account } from "../../testing/accounts/process-account.ts";
import { registerSome } from "../arrangements/accounts.ts";
import { endServer } from "../arrangements/arrangement.ts";
import { settleAll } from "../bounded.ts";
import { liveThrough } from "../clients/live-through.ts";
import { chatsOf, peopleOf } from "../clients/person.ts";
import { followEvents } from "../guarantees/account-events.ts";
import { sendTooMany } from "../guarantees/concurrent-replies.ts";
import { endSession } from "../guarantees/ended-session.ts";
import { tryToSignIn } from "../guarantees/sign-in-limit.ts";
import type { Fault, Harness } from "../harness.ts";
import { checkAll } from "../ledger/check-all.ts";
import type { ChatRecord } from "../ledger/turn.ts";
import { sendTimes } from "./duplicates.ts";
import { KillWindows, paceOfReply } from "./kill-windows.ts";

const PEOPLE = 4;
const SAME_SENDS = 10;

/**
 * Guarantees for an account hold across all processes: limits, sessions, events and idempotency, while processes are
 * killed and restarted during sends.
 */
export const upheavals: Fault = async (harness) => {
  const { arrangement, random } = harness;
  const [writer, leaver, follower] = await registerSome(3, arrangement.servers[0], arrangement.servers);
  if (!writer || !leaver || !follower) return;
  const people = peopleOf(harness, PEOPLE);
  const windows = new KillWindows({ random, paceMs: await paceOfReply(harness), lives: people });
  const repeated: ChatRecord[] = [];
  await liveThrough(harness, people, async () => {
    let isOver = false;
    const rounds = checkRounds(harness, { writer, leaver, follower }, repeated).finally(() => {
      isOver = true;
    });
    await settleAll([rounds, shake(harness, windows, () => isOver)]);
  });
  await checkAll(harness, [...chatsOf(people), ...repeated]);
};

type Accounts = { writer: Account; leaver: Account; follower: Account };

async function checkRounds(harness: Harness, { writer, leaver, follower }: Accounts, repeated: ChatRecord[]) {
  for (let round = 0; round < harness.extent.rounds; round++) {
    const chat = await harness.client.createChat();
    repeated.push(chat);
    await settleAll([
      tryToSignIn(harness),
      sendTooMany(harness, writer),
      endSession(harness, leaver),
      followEvents(harness, follower),
      sendTimes(harness, chat, SAME_SENDS),
    ]);
  }
}

/** Ends one process after the other, alternately by SIGKILL and SIGTERM, and restarts it: two are always running. */
async function shake({ arrangement, report }: Harness, windows: KillWindows, isOver: () => boolean): Promise<void> {
  for (let turn = 0; !isOver(); turn++) {
    await windows.next();
    const server = arrangement.servers[turn % arrangement.servers.length];
    const signal = turn % 2 === 0 ? "SIGKILL" : "SIGTERM";
    if (isOver() || !server) return;
    await endServer(server, signal);
    report.count(signal);
    await server.start();
  }
}
