import { conversationPaths } from "#contract/conversation/paths.ts";
import { settleAll } from "../bounded.ts";
import type { Fault, Harness } from "../harness.ts";
import { checkAll } from "../ledger/check-all.ts";
import { type ChatRecord, Turn } from "../ledger/turn.ts";

const TIMES = [2, 3, 10, 50] as const;

/** R11: the same send many times concurrently and again after its end; R12: different concurrent sends to one chat. */
export const duplicates: Fault = async (harness) => {
  const chats: ChatRecord[] = [];
  for (let round = 0; round < harness.extent.rounds; round++) {
    for (const times of TIMES) {
      const chat = await harness.client.createChat();
      chats.push(chat);
      await sendTimes(harness, chat, times);
      await sendRivals(harness, chat, times);
    }
  }
  await checkAll(harness, chats);
};

/** Repeats one send many times concurrently. */
export async function sendTimes(harness: Harness, chat: ChatRecord, times: number): Promise<void> {
  const { client, provider, random, report } = harness;
  const turn = new Turn(chat.id, provider.ask({ pieces: random.between(1, 100), paceMs: 1 }));
  chat.turns.push(turn);
  const senders = Array.from({ length: times }, () => turn.addReader());
  const results = await Promise.allSettled(senders.map((reader) => client.sendAlong(turn, reader)));
  report.count("simultaneous identical sends", times);
  const refused = results.flatMap((result) => (result.status === "rejected" ? `${result.reason}` : []));
  report.check("identical sends are all answered", refused.length === 0, `of ${times} some were not: ${refused}`);
  turn.reader.replyId = senders[0]?.replyId;
  // Repeated again after the end of the reply.
  await client.send(turn);
  const replies = new Set(turn.readers.map(({ replyId }) => replyId));
  report.check("identical sends get one reply", replies.size === 1, `${times} sends got ${replies.size} replies`);
  const other = { ...client.sendCall(turn), body: { message: "Something else" } };
  const { status } = await client.jsonOnceTaken(other);
  report.check("an idempotency key is not accepted for two texts", status === 409, `answered ${status}`);
}

async function sendRivals(
  { client, provider, random, report }: Harness,
  chat: ChatRecord,
  times: number,
): Promise<void> {
  const before = (await client.openChat(chat.id)).messages.at(-1)?.id;
  const rivals = Array.from(
    { length: Math.min(times, 10) },
    () => new Turn(chat.id, provider.ask({ pieces: random.between(50, 200), paceMs: 2 })),
  );
  const winners: Turn[] = [];
  const statuses = await settleAll(
    rivals.map(async (turn) => {
      const answer = await client.openOnceTaken(client.sendCall(turn));
      if (answer.statusCode !== 200) {
        answer.resume();
        return answer.statusCode;
      }
      winners.push(turn);
      turn.ackedAt = performance.now();
      if (!(await turn.reader.read(answer))) await client.follow(turn);
      return 200;
    }),
  );
  report.count("simultaneous different sends to one chat", rivals.length);
  // A send that a busy machine delayed until another reply had ended may be accepted too.
  const written = winners
    .map((turn) => ({ turn, calls: provider.callsFor(turn.question) }))
    .sort((one, other) => (one.calls[0]?.startedAt ?? 0) - (other.calls[0]?.startedAt ?? 0));
  chat.turns.push(...written.map(({ turn }) => turn));
  const isOneAtATime = written.every(({ calls: [call] }, index) => {
    const before = written[index - 1]?.calls.at(-1);
    return call !== undefined && (before === undefined || (before.closedAt ?? Number.NaN) <= call.startedAt);
  });
  const isRuled = winners.length > 0 && statuses.every((status) => status === 200 || status === 409);
  report.check("one reply at a time in a chat", isOneAtATime && isRuled, `answers were ${statuses}`);
  const stale = client.sendCall(new Turn(chat.id, provider.ask({ pieces: 1, paceMs: 0 })));
  const path = conversationPaths.chatSend(chat.id);
  const moved = await client.jsonOnceTaken<{ code: string }>({
    ...stale,
    path,
    body: { message: "Late", parent: before },
  });
  report.check(
    "a send that has not seen the newest turn is refused with a code",
    moved.status === 409 && moved.body.code === "conversation-moved",
    `answered ${moved.status} ${moved.body.code}`,
  );
}
