import type { Account } from "../../testing/accounts/process-account.ts";
import { settleAll } from "../bounded.ts";
import { busyness } from "../busyness.ts";
import { ChatClient } from "../clients/chat-client.ts";
import type { Harness } from "../harness.ts";
import { checkAll } from "../ledger/check-all.ts";
import { type ChatRecord, Turn } from "../ledger/turn.ts";
import type { ProviderCall } from "../provider/provider-call.ts";

const SENDS = 6;
const ALLOWED = 3;
/** Maximum delay until the closing of a connection is noticed here. */
const NOISE_MS = 100;
const SEEN_BEFORE_MS = 1000;

/** Sends more messages of one account concurrently than the limit of replies, and expects no more replies at a time. */
export async function sendTooMany(harness: Harness, account: Account): Promise<void> {
  const { arrangement, provider, report, random } = harness;
  const client = new ChatClient({ url: arrangement.url, accounts: [account] });
  const chats: ChatRecord[] = await settleAll(Array.from({ length: SENDS }, () => client.createChat()));
  const turns = chats.map((chat) => {
    const turn = new Turn(chat.id, provider.ask({ pieces: random.between(100, 250), paceMs: 5 }));
    chat.turns.push(turn);
    return turn;
  });
  await settleAll(turns.map((turn) => client.send(turn)));
  report.count("simultaneous sends beyond an account's limit of replies", SENDS - ALLOWED);
  // Only the first call for each question: a reply that a kill interrupted has passed the limit before, and continues
  // beside later ones.
  const calls = turns.flatMap(({ question }) => provider.callsFor(question).slice(0, 1));
  const most = Math.max(...calls.map((call) => countOpenWith(call, calls)));
  report.check("an account has at most three replies at a time", most <= ALLOWED, `there were ${most}`);
  await checkAll({ ...harness, client }, chats);
}

/** Counts the calls that were open when this one began, itself included. Tolerates delayed timers of a busy machine. */
function countOpenWith({ startedAt }: ProviderCall, calls: readonly ProviderCall[]): number {
  const { lateMs } = busyness.between(startedAt - SEEN_BEFORE_MS, startedAt + SEEN_BEFORE_MS);
  const isOpen = ({ startedAt: from, closedAt = Number.POSITIVE_INFINITY }: ProviderCall) =>
    from <= startedAt && closedAt > startedAt + NOISE_MS + lateMs;
  return calls.filter(isOpen).length;
}
