import { setTimeout as delay } from "node:timers/promises";
import { accountEventSchema } from "#contract/conversation/account-events.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { Account } from "../../testing/accounts/process-account.ts";
import { openCall } from "../../testing/http/http-call.ts";
import { readEvents } from "../../testing/http/read-events.ts";
import { bounded, GaveUp, persist } from "../bounded.ts";
import { ChatClient } from "../clients/chat-client.ts";
import type { Harness } from "../harness.ts";
import type { Guarantee } from "../report.ts";

const CHATS = 10;
const RETRY_MS = 50;

const newChatGuarantee: Guarantee = { claim: "a tab is notified of a new chat after", allowed: 10_000, unit: "ms" };

/**
 * Expects a client that follows its account's events to receive each chat that another client creates, despite kills.
 */
export async function followEvents({ arrangement, report, random }: Harness, account: Account): Promise<void> {
  const { url } = arrangement;
  const heard = new Map<string, number>();
  const leaving = new AbortController();
  const following = follow(url, account, heard, leaving.signal);
  const client = new ChatClient({ url, accounts: [account] });
  const made: { id: string; at: number }[] = [];
  try {
    await bounded("the stream of an account's events did not begin", following.begun);
    for (let count = 0; count < CHATS; count++) {
      const { id } = await client.createChat();
      made.push({ id, at: performance.now() });
      await delay(random.between(0, 400));
    }
    const haveArrived = () => made.every(({ id }) => heard.has(id));
    await persist("not every new chat was notified", haveArrived).catch(allowGivenUp);
  } finally {
    leaving.abort();
    await following.ended;
  }
  report.count("chats that another tab creates", CHATS);
  const missed = made.filter(({ id }) => !heard.has(id));
  report.check("a tab is notified of every chat", missed.length === 0, `missed ${missed.length} of ${CHATS}`);
  for (const { id, at } of made) report.measure(newChatGuarantee, Math.max(0, (heard.get(id) ?? at) - at));
}

/** The check afterwards reports which chats were missed. */
function allowGivenUp(error: unknown): void {
  if (!(error instanceof GaveUp)) throw error;
}

/** Follows the events over successive connections, each from the last position on. */
function follow(url: string, { token }: Account, heard: Map<string, number>, signal: AbortSignal) {
  const begun = Promise.withResolvers<void>();
  let at: number | undefined;
  const readOnce = async () => {
    const path = at === undefined ? conversationPaths.events : `${conversationPaths.events}?from=${at}`;
    const answer = await openCall(url, { method: "GET", path, token });
    const leave = () => answer.destroy();
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted || answer.statusCode !== 200) return leave();
    for await (const read of readEvents({ body: answer })) {
      const event = accountEventSchema.parse(read);
      if ("chat" in event) heard.set(event.chat.id, heard.get(event.chat.id) ?? performance.now());
      ({ at } = event);
      begun.resolve();
    }
  };
  const ended = (async () => {
    while (!signal.aborted) {
      await readOnce().catch(() => undefined);
      await delay(RETRY_MS);
    }
  })();
  return { begun: begun.promise, ended };
}
