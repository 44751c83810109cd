import { setTimeout as delay } from "node:timers/promises";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { FaultProxy, ProxyMode } from "../../testing/servers/fault-proxy.ts";
import { settleAll } from "../bounded.ts";
import { liveThrough } from "../clients/live-through.ts";
import { chatsOf, peopleOf } from "../clients/person.ts";
import type { Fault, Harness } from "../harness.ts";
import { checkAll } from "../ledger/check-all.ts";
import { checkReasoning } from "../ledger/check-reasoning.ts";
import { followFlow } from "../ledger/follow-flow.ts";
import { Turn } from "../ledger/turn.ts";
import type { Script } from "../provider/question.ts";
import type { Guarantee } from "../report.ts";

const PEOPLE = 3;
const SHORT_MS = 2000;
const LONG_MS = 30_000;
const MANY_ROUNDS = 20;
const PACE_MS = 10;
/** Time that a followed reply lasts beyond the outage. */
const MARGIN_MS = 1500;
/** Pieces of text of a reply with reasoning. */
const BETWEEN = 20;
type Mode = Exclude<ProxyMode, "pass">;
const modes: [Mode, ...Mode[]] = ["refuse", "swallow", "reset"];

const refusal: Guarantee = { claim: "a request is refused while PostgreSQL is away after", allowed: 2000, unit: "ms" };
const flow: Guarantee = { claim: "a running reply pauses while PostgreSQL is away for", allowed: 1000, unit: "ms" };
const recovery: Guarantee = {
  claim: "requests are accepted again after PostgreSQL is back, within",
  allowed: 5000,
  unit: "ms",
};
const flowWithoutRedis: Guarantee = {
  claim: "a running reply pauses while Redis is away for",
  allowed: 3000,
  unit: "ms",
};

/** R9: PostgreSQL refuses, drops or resets all connections for a while, and recovers. */
export const databaseAway: Fault = async (harness) => {
  const { arrangement, report } = harness;
  const { database } = arrangement;
  if (!database) return;
  await takeAway(harness, database, async (mode, awayMs) => {
    report.count(`PostgreSQL away (${mode})`);
    // With several processes a reader gets another process's text through the database, so it is tested with one only.
    const followed = arrangement.servers.length === 1 ? followThrough(harness, flow, awayMs) : [];
    const interrupt = async () => {
      await settleAll(followed.map(({ begun }) => begun));
      await database.set(mode);
      const wasAwayMs = awayMs - (await expectRefusal(harness));
      await delay(Math.max(0, wasAwayMs));
      await database.set("pass");
      const backAt = performance.now();
      await harness.client.createChat();
      report.measure(recovery, performance.now() - backAt);
    };
    await settleAll([interrupt(), ...followed.map(({ ended }) => ended)]);
  });
};

/** Redis is away for a while and recovers: notifications are lost, text is not. */
export const redisAway: Fault = async (harness) => {
  const { redis } = harness.arrangement;
  if (!redis) return;
  await takeAway(harness, redis, async (mode, awayMs) => {
    harness.report.count(`Redis away (${mode})`);
    const followed = followThrough(harness, flowWithoutRedis, awayMs);
    const interrupt = async () => {
      await settleAll(followed.map(({ begun }) => begun));
      await redis.set(mode);
      await delay(awayMs);
      await redis.set("pass");
    };
    await settleAll([interrupt(), ...followed.map(({ ended }) => ended)]);
  });
};

type Away = (mode: Mode, awayMs: number) => Promise<void>;

async function takeAway(harness: Harness, service: FaultProxy, away: Away): Promise<void> {
  const { extent, random } = harness;
  const people = peopleOf(harness, PEOPLE);
  await liveThrough(harness, people, async () => {
    try {
      for (let round = 0; round < extent.rounds; round++) {
        for (const mode of extent.rounds > 1 ? modes : [random.pick(modes)]) {
          await away(mode, extent.rounds >= MANY_ROUNDS && round === 0 ? LONG_MS : SHORT_MS);
          await delay(random.between(200, 800));
        }
      }
    } finally {
      await service.set("pass");
    }
  });
  await checkAll(harness, chatsOf(people));
}

/** A followed reply. `begun`: its first text or reasoning has arrived, or it has failed; `ended`: it was checked. */
type Followed = { begun: Promise<void>; ended: Promise<void> };

/** Follows a reply of text, and one with reasoning, that stream during the whole outage. */
function followThrough(harness: Harness, guarantee: Guarantee, awayMs: number): Followed[] {
  const count = Math.ceil((awayMs + MARGIN_MS) / PACE_MS);
  // The outage lasts from the first passage of reasoning into the second.
  const scripts = [
    { pieces: count, paceMs: PACE_MS },
    { pieces: BETWEEN, paceMs: PACE_MS, thoughts: Math.ceil(count / 2) },
  ];
  return scripts.map((script) => {
    const { promise: begun, resolve: onBegin } = Promise.withResolvers<void>();
    return { begun, ended: followOne(harness, { guarantee, script, onBegin }).finally(onBegin) };
  });
}

type Following = { guarantee: Guarantee; script: Script; onBegin: () => void };

async function followOne(harness: Harness, { guarantee, script, onBegin }: Following): Promise<void> {
  const { client, provider, report } = harness;
  const chat = await client.createChat();
  const turn = new Turn(chat.id, provider.ask(script));
  chat.turns.push(turn);
  await followFlow(harness, turn, { pause: guarantee, onBegin });
  const claim = "reasoning survives an outage of a service whole, with its duration";
  checkReasoning(report, claim, turn, await client.findReply(turn));
  await checkAll(harness, [chat]);
}

/** Expects a request to be refused. @returns the time that took, in ms */
async function expectRefusal({ client, report }: Harness): Promise<number> {
  const startedAt = performance.now();
  const answer = await client.json({ method: "POST", path: conversationPaths.chats, body: {} }).catch(() => undefined);
  const tookMs = performance.now() - startedAt;
  report.measure(refusal, tookMs);
  report.check(
    "requests that need PostgreSQL are refused with 503",
    answer?.status === 503,
    `answered ${answer?.status}`,
  );
  return tookMs;
}
