import type { IncomingMessage } from "node:http";
import { settleAll } from "../bounded.ts";
import type { Fault, Harness } from "../harness.ts";
import { checkAll } from "../ledger/check-all.ts";
import { type ChatRecord, Turn } from "../ledger/turn.ts";

const REPLIES = 6;
const CUTS = 10;
const READERS = 3;

/** R1: connections are reset at any byte, or stay open without being read; several times for each reply. */
export const cuts: Fault = async (harness) => {
  const chats: ChatRecord[] = [];
  const abandoned = new Set<IncomingMessage>();
  const one = async () => {
    const chat = await harness.client.createChat();
    chats.push(chat);
    await readInPieces(harness, chat, abandoned);
  };
  for (let round = 0; round < harness.extent.rounds; round++) await settleAll(Array.from({ length: REPLIES }, one));
  for (const connection of abandoned) connection.destroy();
  await checkAll(harness, chats);
};

async function readInPieces(harness: Harness, chat: ChatRecord, abandoned: Set<IncomingMessage>): Promise<void> {
  const { client, provider, random, report } = harness;
  const turn = new Turn(chat.id, provider.ask({ pieces: 1200, paceMs: random.between(0, 1) }));
  chat.turns.push(turn);
  await client.send(turn, { leaveAt: random.between(0, 50) });
  const readOn = async (reader: Turn["reader"]) => {
    for (let cut = 0; cut < CUTS && !reader.isDone; cut++) {
      const answer = await client.join(turn, reader);
      if (!answer) continue;
      if (random.chance(0.2)) {
        // The server does not notice: the connection stays open, and nothing is read.
        abandoned.add(answer.pause());
        report.count("connection left half-open");
      } else {
        await reader.read(answer, { cutAfterBytes: random.between(1, 8000) });
        report.count("connection reset");
      }
    }
    if (!reader.isDone) await client.follow(turn, {}, reader);
  };
  const others = Array.from({ length: READERS }, () => turn.addReader());
  await settleAll([turn.reader, ...others].map(readOn));
  // After the end a new reader gets the rest of the stored text from any position.
  const late = turn.addReader();
  late.text = turn.reader.text.slice(0, random.between(0, turn.reader.text.length));
  await client.follow(turn, {}, late);
}
