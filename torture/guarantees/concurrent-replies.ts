import type { Account } from "../../testing/accounts/process-account.ts";
import { busyness } from "../busyness.ts";
import { ChatClient } from "../clients/chat-client.ts";
import type { Harness } from "../harness.ts";
import { checkAll } from "../ledger/check-all.ts";
import { type ChatRecord, Turn } from "../ledger/turn.ts";
import type { ProviderCall } from "../provider/provider-call.ts";

const SENDS = 6;
const ALLOWED = 3;
/** How late the closing of a connection may be noticed here. */
const NOISE_MS = 100;
const SEEN_BEFORE_MS = 1000;

/** More sends of one account at once than it may have replies: no more of them are let in at a time. */
export async function sendTooMany(harness: Harness, account: Account): Promise<void> {
  const { arrangement, provider, report, random } = harness;
  const client = new ChatClient({ url: arrangement.url, accounts: [account] });
  const chats: ChatRecord[] = await Promise.all(Array.from({ length: SENDS }, () => client.createChat()));
  const turns = chats.map((chat) => {
    const turn = new Turn(chat.id, provider.ask({ pieces: random.between(100, 250), paceMs: 5 }));
    chat.turns.push(turn);
    return turn;
  });
  await Promise.all(turns.map((turn) => client.send(turn)));
  report.count("sends at once beyond an account's replies", SENDS - ALLOWED);
  // Each one's first: what a death cut off has been let in before, and goes on beside what was let in since.
  const calls = turns.flatMap(({ question }) => provider.callsFor(question).slice(0, 1));
  const most = Math.max(...calls.map((call) => countOpenWith(call, calls)));
  report.check("an account has three replies let in at a time", most <= ALLOWED, `there were ${most}`);
  await checkAll({ ...harness, client }, chats);
}

/** How many calls were open when this one began, itself included, as far as a busy machine lets that be told. */
function countOpenWith({ startedAt }: ProviderCall, calls: readonly ProviderCall[]): number {
  const { lateMs } = busyness.between(startedAt - SEEN_BEFORE_MS, startedAt + SEEN_BEFORE_MS);
  const isOpen = ({ startedAt: from, closedAt = Number.POSITIVE_INFINITY }: ProviderCall) =>
    from <= startedAt && closedAt > startedAt + NOISE_MS + lateMs;
  return calls.filter(isOpen).length;
}
