import type { IncomingMessage } from "node:http";
import { settleAll } from "../bounded.ts";
import type { Fault } from "../harness.ts";
import { checkAll } from "../ledger/check-all.ts";
import type { ReplyReader } from "../ledger/reply-reader.ts";
import { Turn } from "../ledger/turn.ts";
import type { Guarantee } from "../report.ts";

const READERS = 12;
/** Makes the text a megabyte longer than the system's socket buffers. */
const PIECES = 20_000;
const PADDING = 46;

/** Slow at first, so that all readers are at the same position before the flood. */
const script = { pieces: PIECES, paceMs: 25, floodsFrom: 40, padding: PADDING };
const SAMPLE_MS = 50;

const memory: Guarantee = {
  claim: `memory used by ${READERS} readers that stopped reading`,
  allowed: 120,
  unit: "MB",
};

/** R13: readers that stop reading while another one reads. Each continues later and receives the whole text. */
export const stalledReaders: Fault = async (harness) => {
  const { client, provider, report, arrangement } = harness;
  // Without the balancer, whose own buffers would take much of the text.
  const direct = client.at(arrangement.servers[0].url);
  const chat = await client.createChat();
  const turn = new Turn(chat.id, provider.ask(script));
  chat.turns.push(turn);
  const rssMb = () => Math.max(...arrangement.servers.map((server) => server.rssMb()));
  const before = rssMb();
  const stalled: { reader: ReplyReader; answer: IncomingMessage }[] = [];
  let worst = before;
  const sampling = setInterval(() => {
    worst = Math.max(worst, rssMb());
  }, SAMPLE_MS);
  const begun = Promise.withResolvers<void>();
  const reading = client.send(turn, { onText: () => begun.resolve() });
  const stalling = Promise.race([begun.promise, reading]).then(() => settleAll(Array.from({ length: READERS }, stall)));
  await settleAll([reading, stalling]).finally(() => clearInterval(sampling));
  async function stall(): Promise<void> {
    const reader = turn.addReader();
    const answer = await direct.join(turn, reader);
    if (answer) stalled.push({ reader, answer: answer.pause() });
  }
  report.count("reader that stops reading", stalled.length);
  if (!Number.isNaN(before)) report.measure(memory, worst - before);
  await settleAll(
    stalled.map(async ({ reader, answer }) => {
      if (!(await reader.read(answer))) {
        report.count("stalled reader that was cut off");
        await client.follow(turn, {}, reader);
      }
    }),
  );
  await checkAll(harness, [chat]);
};
