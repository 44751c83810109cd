import { mkdir } from "node:fs/promises";
import { ServerProcess } from "../../testing/servers/server-process.ts";
import { registerSome } from "../arrangements/accounts.ts";
import { settleAll } from "../bounded.ts";
import { ChatClient } from "../clients/chat-client.ts";
import type { Fault, Harness } from "../harness.ts";
import { checkAll } from "../ledger/check-all.ts";
import { type ChatRecord, Turn } from "../ledger/turn.ts";
import { type Misdeed, misdeeds } from "../provider/misdeeds.ts";
import type { Script } from "../provider/question.ts";
import type { Guarantee } from "../report.ts";
import { paceOfReply } from "./kill-windows.ts";

const MAX_OVERLAP = 200;
/** Number of accounts; enough for all concurrent replies. */
const ACCOUNTS = 8;
/** Timeout of a silent provider on a fast machine, short enough for a run. */
const LEAST_SILENCE_MS = 2500;
/** On a slow machine the timeout is this many times the time of a reply, so that no working provider counts as silent. */
const SILENCE_IN_REPLIES = 2;

/** Two timeouts: one reply may be requested again after a refusal, with the provider's wait. */
const ended: Guarantee = {
  claim: "a reply whose provider fails ends beyond two timeouts after",
  allowed: 2000,
  unit: "ms",
};

const names = Object.keys(misdeeds) as Misdeed[];
const inTheMiddle = names.filter((name) => name.includes("middle") || name.startsWith("broken"));

/**
 * R5 to R8: every misbehaviour of a provider, before the first word and in the middle, and the recovery. On a separate
 * server with short timeouts; the other servers have long ones.
 */
export const providerTroubles: Fault = async (harness) => {
  const { arrangement, extent } = harness;
  const silenceMs = Math.ceil(Math.max(LEAST_SILENCE_MS, SILENCE_IN_REPLIES * (await paceOfReply(harness))));
  const shortLimits = { REPLY_FIRST_TEXT_MS: String(silenceMs), REPLY_IDLE_MS: String(silenceMs) };
  const folder = `${arrangement.folder}/impatient`;
  await mkdir(folder);
  await using server = new ServerProcess("impatient", folder, { ...arrangement.env, ...shortLimits });
  await server.start();
  const accounts = await registerSome(ACCOUNTS, server, arrangement.servers);
  const own: Impatient = { ...harness, silenceMs, client: new ChatClient({ url: server.url, accounts }) };
  const chats: ChatRecord[] = [];
  // First, because later failures put a provider into cool-down under automatic choice.
  for (let round = 0; round < extent.rounds; round++) {
    await settleAll(inTheMiddle.map((name) => breakUnderAutomaticChoice(own, chats, name)));
    await settleAll(names.map((name) => misbehave(own, chats, name)));
  }
  await checkAll(own, chats);
};

/** `silenceMs`: the timeout of a silent provider. */
type Impatient = Harness & { silenceMs: number };

async function ask(harness: Impatient, chats: ChatRecord[], misdeed: Misdeed, more: object) {
  const { client, provider, random, report, silenceMs } = harness;
  const chat = await client.createChat();
  chats.push(chat);
  const script: Script = { pieces: random.between(20, 120), paceMs: 1, misdeeds: [misdeed], ...more };
  const turn = new Turn(chat.id, provider.ask(script));
  chat.turns.push(turn);
  const startedAt = performance.now();
  await client.send(turn);
  report.measure(ended, Math.max(0, performance.now() - startedAt - 2 * silenceMs), `(${misdeed})`);
  report.count(`provider: ${misdeed}`);
  return turn;
}

/** The next provider continues where the first one broke off. */
async function breakUnderAutomaticChoice(harness: Impatient, chats: ChatRecord[], misdeed: Misdeed): Promise<void> {
  const { client, provider, report } = harness;
  const turn = await ask(harness, chats, misdeed, { isAutomatic: true });
  const reply = await client.findReply(turn);
  const calls = provider.callsFor(turn.question);
  report.check(
    "with automatic choice the next provider continues after a failure",
    reply?.state === "complete" && calls.length === 2,
    `${misdeed}: reply ${turn.replyId} is ${reply?.state} after ${calls.length} calls`,
  );
}

async function misbehave(harness: Impatient, chats: ChatRecord[], misdeed: Misdeed): Promise<void> {
  const { client, provider, random, report } = harness;
  const turn = await ask(harness, chats, misdeed, { overlap: random.pick([0, random.between(1, MAX_OVERLAP)]) });
  const reply = await client.findReply(turn);
  const [first, ...more] = provider.callsFor(turn.question);
  if (reply?.state === "complete") {
    const isBeforeText = first?.saidUpTo === 0;
    report.check("a reply is requested again only before its first word", isBeforeText && more.length === 1, misdeed);
    return;
  }
  report.check(
    "a failed reply is reported with a code, and retains its text",
    turn.reader.failure?.code !== undefined && (reply === undefined || reply.state === "failed"),
    `${misdeed}: ${reply?.state}, code ${turn.reader.failure?.code}`,
  );
  const storedChars = reply?.content.length ?? 0;
  // Text in flight is lost when a connection is reset.
  const arrived = misdeed === "reset in the middle" ? turn.reader.text.length : first?.saidUpTo;
  report.check(
    "a failing provider causes no loss of text",
    storedChars === arrived,
    `${misdeed}: ${storedChars} of ${arrived} stored`,
  );
  await client.askForMore(turn, reply ? "continue" : "retry");
  const rest = await client.findReply(turn);
  report.check("the rest arrives when it is requested", rest?.state === "complete", `${misdeed}: then ${rest?.state}`);
}
