import { setTimeout as delay } from "node:timers/promises";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { ServerProcess } from "../../testing/servers/server-process.ts";
import { mountSmallDisk } from "../../testing/servers/small-disk.ts";
import { registerAt } from "../arrangements/accounts.ts";
import { settleAll } from "../bounded.ts";
import { ChatClient } from "../clients/chat-client.ts";
import type { Fault, Harness } from "../harness.ts";
import { checkAll } from "../ledger/check-all.ts";
import { checkReasoning } from "../ledger/check-reasoning.ts";
import { followFlow } from "../ledger/follow-flow.ts";
import { type ChatRecord, Turn } from "../ledger/turn.ts";
import type { Script } from "../provider/question.ts";
import type { Guarantee } from "../report.ts";

const MEGABYTES = 24;
const FULL_MS = 1500;
const PACE_MS = 5;
const plain: Script = { pieces: 800, paceMs: PACE_MS };
/** Lasts as long. The disk is full at the end of the first passage, in the text behind it, and when the second begins. */
const reasoned: Script = { pieces: 200, paceMs: PACE_MS, thoughts: 300 };

const refusal: Guarantee = { claim: "a request is refused while the disk is full after", allowed: 2000, unit: "ms" };
const flow: Guarantee = { claim: "a running reply pauses while the disk is full for", allowed: 1000, unit: "ms" };
const recovery: Guarantee = {
  claim: "requests are accepted again after space is freed, within",
  allowed: 30_000,
  unit: "ms",
};

/** R16: the disk of a separate server fills up during a reply, and has space again later. */
export const fullDisk: Fault = async (harness) => {
  const disk = await mountSmallDisk(MEGABYTES);
  if (!disk) return harness.report.skip("A full disk: only root on Linux can mount a small disk");
  await using _disk = disk;
  await using server = new ServerProcess(
    "small",
    disk.folder,
    harness.arrangement.env,
    `${harness.arrangement.folder}/small.log`,
  );
  await server.start();
  const account = await registerAt(server);
  const client = new ChatClient({ url: server.url, accounts: [account] });
  const own: Harness = { ...harness, client };
  const chats: ChatRecord[] = [];
  for (let round = 0; round < harness.extent.rounds; round++) {
    const replies = [plain, reasoned].map((script) => write(own, chats, script));
    const fill = async () => {
      // A question that arrives after the disk is full is refused.
      await settleAll(replies.map(({ begun }) => begun));
      await delay(harness.random.between(200, 600));
      await disk.fill();
      harness.report.count("full disk");
      await expectRefusal(own);
      await delay(FULL_MS);
      await disk.makeRoom();
      const roomAt = performance.now();
      chats.push(await client.createChat());
      harness.report.measure(recovery, performance.now() - roomAt);
    };
    await settleAll([fill(), ...replies.map(({ ended }) => ended)]);
  }
  await checkAll(own, chats);
};

/**
 * A reply being written. `begun`: its first text or reasoning has arrived, or it has failed; `ended`: it was stored as a
 * whole.
 */
type Written = { begun: Promise<void>; ended: Promise<void> };

function write(harness: Harness, chats: ChatRecord[], script: Script): Written {
  const { promise: begun, resolve: onBegin } = Promise.withResolvers<void>();
  return { begun, ended: writeAndCheck(harness, { chats, script, onBegin }).finally(onBegin) };
}

type Writing = { chats: ChatRecord[]; script: Script; onBegin: () => void };

async function writeAndCheck(
  { client, provider, report }: Harness,
  { chats, script, onBegin }: Writing,
): Promise<void> {
  const chat = await client.createChat();
  chats.push(chat);
  const turn = new Turn(chat.id, provider.ask(script));
  chat.turns.push(turn);
  await followFlow({ client, report }, turn, { pause: flow, onBegin });
  const reply = await client.findReply(turn);
  report.check("a reply survives a full disk", reply?.state === "complete", `it is ${reply?.state}`);
  checkReasoning(report, "reasoning survives a full disk whole, with its duration", turn, reply);
}

/** Sends until one is refused: small writes may still fit into free pages of the file. */
async function expectRefusal({ client, report }: Harness): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    const startedAt = performance.now();
    const answer = await client
      .json({ method: "POST", path: conversationPaths.chats, body: {} })
      .catch(() => undefined);
    if (answer?.status === 201) continue;
    report.measure(refusal, performance.now() - startedAt);
    const isRefused = answer?.status === 503 || answer?.status === 507;
    report.check("requests that need the disk are refused with 503 or 507", isRefused, `answered ${answer?.status}`);
    return;
  }
  report.violate("a full disk was never reported");
}
