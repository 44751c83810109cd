import { setTimeout as delay } from "node:timers/promises";
import { persist, settleAll } from "../bounded.ts";
import type { Fault, Harness } from "../harness.ts";
import { checkAll } from "../ledger/check-all.ts";
import { type ChatRecord, Turn } from "../ledger/turn.ts";
import type { Guarantee } from "../report.ts";

const REPLIES = 8;
const PIECES = 100;
const PACE_MS = 6;
/** A little after the end of the reply, so that some stops come too late, and some with the last word. */
const LATEST_STOP_MS = 1.2 * PIECES * PACE_MS;
const AFTERWARDS_MS = 300;

const closed: Guarantee = { claim: "stop closes the provider's connection after", allowed: 1000, unit: "ms" };
const stopGuarantee: Guarantee = { claim: "readers are notified of a stop after", allowed: 1000, unit: "ms" };

/**
 * R2: Stop at any time, from a separate connection, in a race with the last word. Disconnecting does not stop a reply.
 */
export const stops: Fault = async (harness) => {
  const chats: ChatRecord[] = [];
  for (let round = 0; round < harness.extent.rounds; round++) {
    await settleAll(
      Array.from({ length: REPLIES }, async () => {
        const chat = await harness.client.createChat();
        chats.push(chat);
        await stopOne(harness, chat);
      }),
    );
  }
  await checkAll(harness, chats);
};

async function stopOne({ client, provider, random, report }: Harness, chat: ChatRecord): Promise<void> {
  const turn = new Turn(chat.id, provider.ask({ pieces: PIECES, paceMs: PACE_MS }));
  chat.turns.push(turn);
  const begun = Promise.withResolvers<void>();
  const reading = client.send(turn, { onText: () => begun.resolve() });
  const stop = async () => {
    await delay(random.between(0, LATEST_STOP_MS));
    await client.stop(turn);
    report.count("stop");
  };
  const stopping = Promise.race([begun.promise, reading]).then(() =>
    settleAll([client.follow(turn, {}, turn.addReader()), stop()]),
  );
  await settleAll([reading, stopping]);
  const askedAt = turn.stopAskedAt ?? Number.NaN;
  report.measure(stopGuarantee, Math.max(0, performance.now() - askedAt));
  const before = await client.findReply(turn);
  const ends = ["stopped", "complete"];
  const isEnded = before === undefined || ends.includes(before.state);
  report.check(
    "a stopped reply ends as stopped, or was complete",
    isEnded,
    `reply ${turn.replyId} is ${before?.state}`,
  );
  await delay(AFTERWARDS_MS);
  await client.follow(turn, {}, turn.addReader());
  const after = await client.findReply(turn);
  const isSame = after?.state === before?.state && after?.content === before?.content;
  report.check(
    "a stopped reply stays stopped",
    isSame,
    `reply ${turn.replyId} went from ${before?.state} to ${after?.state}`,
  );
  const calls = provider.callsFor(turn.question);
  const areClosed = () => calls.every(({ closedAt }) => closedAt !== undefined);
  await persist("the provider's connection stayed open after a stop", areClosed);
  for (const call of calls) report.measure(closed, Math.max(0, (call.closedAt ?? Number.NaN) - askedAt));
}
