import { endServer } from "../arrangements/arrangement.ts";
import { settleAll } from "../bounded.ts";
import { Person } from "../clients/person.ts";
import type { Fault, Harness } from "../harness.ts";
import { checkAll } from "../ledger/check-all.ts";
import { type ChatRecord, Turn } from "../ledger/turn.ts";

/** A first passage of reasoning, text, a second passage, and text again. */
const SCRIPT = { pieces: 4, paceMs: 60, thoughts: 2 };
/** Start, two passages with their begin and end, and the text. */
const EVENTS = 1 + 2 * (2 + SCRIPT.thoughts) + SCRIPT.pieces;

/** R3: SIGKILL at each event of a reply with reasoning. In the end it has the text of a reply that was not killed. */
export const reasoningKills: Fault = async (harness) => {
  const chats: ChatRecord[] = [];
  for (let event = 0; event <= EVENTS; event++) {
    const chat = await harness.client.createChat();
    chats.push(chat);
    await killAt(harness, chat, event);
  }
  await checkAll(harness, chats);
};

/** @param event number of the event after which the servers are killed, from 1; 0: none are */
async function killAt(harness: Harness, chat: ChatRecord, event: number): Promise<void> {
  const { arrangement, client, provider, random, report } = harness;
  const turn = new Turn(chat.id, provider.ask(SCRIPT));
  chat.turns.push(turn);
  let count = 0;
  const restarts: Promise<void>[] = [];
  const restart = async () => {
    // All of them, because any may write the reply.
    await settleAll(arrangement.servers.map((server) => endServer(server, "SIGKILL")));
    report.count("SIGKILL");
    await settleAll(arrangement.servers.map((server) => server.start()));
  };
  const onText = () => {
    count++;
    if (count !== event) return;
    const restarted = restart();
    restarts.push(restarted);
    // Awaited below, after the reply.
    restarted.catch(() => undefined);
  };
  await client.send(turn, { onText });
  await settleAll(restarts);
  await new Person(harness, random.fork(`reader ${event}`)).settle(turn);
  const reply = await client.findReply(turn);
  report.check(
    "a reply that was killed while it reasoned has the text of one that was not",
    reply?.content === turn.question.answer,
    `reply ${turn.replyId}, killed at event ${event}: ${JSON.stringify(reply)}`,
  );
  const last = reply?.parts?.findLast(({ kind }) => kind === "reasoning");
  const isWhole = typeof last?.text === "string" && turn.question.thoughts.join("") === last.text;
  // The run that completes a reply reasons before its first text, unless all text was there.
  const hasRunOn = (last?.at ?? 0) < (reply?.content.length ?? 0);
  report.check(
    "the last reasoning of a complete reply is whole, and has its duration",
    !hasRunOn || (isWhole && typeof last?.durationMs === "number"),
    `reply ${turn.replyId}, killed at event ${event}: ${JSON.stringify(reply?.parts)}`,
  );
}
