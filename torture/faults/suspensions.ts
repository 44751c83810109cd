import { setTimeout as delay } from "node:timers/promises";
import { persist, settleAll } from "../bounded.ts";
import type { Fault, Harness } from "../harness.ts";
import { checkChat } from "../ledger/check-chat.ts";
import { type ChatRecord, Turn } from "../ledger/turn.ts";

const REPLIES = 6;
const PACE_MS = 8;
/** Time of a running reply before the suspension, at most. */
const MAX_WRITTEN_MS = 500;
const SHORT_MS = 1200;
/** Longer than the lease of 5 s. */
const LONG_MS = 6500;
const STALL_MS = 1500;
const AFTERWARDS_MS = 1500;

/**
 * R21: a process is frozen and continued. A single process then continues its replies. If another process has taken
 * them over meanwhile, the frozen one must not overwrite them.
 */
export const suspensions: Fault = async (harness) => {
  const { arrangement, client, random, report } = harness;
  const isAlone = arrangement.servers.length === 1;
  for (let round = 0; round < harness.extent.rounds; round++) {
    const chats: ChatRecord[] = [];
    const replies = Array.from({ length: REPLIES }, () => write(harness, chats));
    const freeze = async () => {
      await settleAll(replies.map(({ begun }) => begun));
      await delay(random.between(0, MAX_WRITTEN_MS));
      const server = random.pick(arrangement.servers);
      server.freeze();
      report.count("SIGSTOP and SIGCONT");
      await delay(isAlone ? SHORT_MS : LONG_MS);
      server.thaw();
    };
    await settleAll([freeze(), ...replies.map(({ ended }) => ended)]);
    await delay(AFTERWARDS_MS);
    for (const chat of chats) await check(harness, chat);
  }
  // The frozen process may have exited: waits until the servers respond, for the next fault.
  await client.createChat();
};

/** A reply being written. `begun`: its first text has arrived, or it has failed; `ended`: it was read to its end. */
type Written = { begun: Promise<void>; ended: Promise<void> };

function write(harness: Harness, chats: ChatRecord[]): Written {
  const { promise: begun, resolve: onBegin } = Promise.withResolvers<void>();
  return { begun, ended: writeToEnd(harness, chats, onBegin).finally(onBegin) };
}

async function writeToEnd(
  { client, provider, random }: Harness,
  chats: ChatRecord[],
  onBegin: () => void,
): Promise<void> {
  const chat = await client.createChat();
  chats.push(chat);
  const turn = new Turn(chat.id, provider.ask({ pieces: random.between(150, 300), paceMs: PACE_MS }));
  chat.turns.push(turn);
  await client.send(turn, { stallMs: STALL_MS, onText: onBegin });
}

async function check({ arrangement, client, provider, report }: Harness, chat: ChatRecord): Promise<void> {
  const stored = await client.openChat(chat.id);
  checkChat(report, chat, stored);
  const [turn] = chat.turns;
  if (!turn) return;
  const reply = stored.messages.find(({ id }) => id === turn.replyId);
  const detail = `reply ${turn.replyId} is ${reply?.state}`;
  report.check("a reply survives the suspension of a process", reply?.state === "complete", detail);
  const calls = provider.callsFor(turn.question);
  const allowed = arrangement.servers.length === 1 ? 1 : 2;
  report.check("the reply of a suspended process is taken over once", calls.length <= allowed, `${calls.length} calls`);
  const areClosed = () => calls.every(({ closedAt }) => closedAt !== undefined);
  await persist("a process that lost a reply has not closed the provider's connection", areClosed);
  report.check("a process that lost a reply closes the provider's connection", areClosed(), detail);
}
