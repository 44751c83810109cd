import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { Random } from "../../testing/app/random.ts";
import { textBySpecification } from "../../testing/http/text-by-specification.ts";
import type { McpEra } from "../../testing/mcp/protocol-answers.ts";
import type { ServerProcess } from "../../testing/servers/server-process.ts";
import { ShopServer } from "../../testing/tools/shop-server.ts";
import { type Arrangement, endServer } from "../arrangements/arrangement.ts";
import { persist, settleAll } from "../bounded.ts";
import { liveThrough } from "../clients/live-through.ts";
import { Shopper } from "../clients/shopper.ts";
import type { Fault, Harness } from "../harness.ts";
import { checkChat } from "../ledger/check-chat.ts";
import { checkLeftovers } from "../ledger/check-leftovers.ts";
import { checkTools, type ToolLedger } from "../ledger/check-tools.ts";
import { type Outage, outagesOf } from "../ledger/tool-records.ts";
import type { ChatRecord, Turn } from "../ledger/turn.ts";
import { CutMcpShop } from "./cut-mcp-shop.ts";
import { KillWindows, paceOf } from "./kill-windows.ts";

const PEOPLE = 5;
const FREEZE_MS = 8000;
/** Some processes stay dead for longer than a lease. */
const LONG_ABSENCE_MS = 7000;
const MAX_ANSWER_MS = 600;
/** Positions at which readers join each reply after its end. */
const JOINS = 3;

const entry = fileURLToPath(new URL("../../testing/tools/server-with-shop.ts", import.meta.url));

/**
 * SIGKILL at any time of proposing, deciding, sending and answering calls of tools, and freezes for longer than a lease.
 * The shop writes each execution to a file that is durable before its answer.
 */
export const tools: Fault = async (harness) => {
  await using shop = await ShopServer.start();
  await runWithShop(harness.arrangement, shop);
  await disturbShoppers(harness, { shop, cutSome: () => Promise.resolve() });
};

/**
 * {@link tools} with an MCP server of a revision, to which the connections are also reset, refused and held. A tool of it
 * that only reads asks too, and may be repeated, because the operator trusts the server.
 */
export const toolServers =
  (era: McpEra): Fault =>
  async (harness) => {
    await using shop = await ShopServer.start();
    await using cutShop = await CutMcpShop.start(harness, { shop, era });
    await disturbShoppers(harness, { shop, cutSome: (outages) => cutShop.cutSome(outages) });
  };

/** `cutSome`: cuts connections to the shop at random times until the kills are over, and adds their times. */
type Disturbed = { shop: ShopServer; cutSome: (outages: Outage[]) => Promise<void> };

async function disturbShoppers(harness: Harness, { shop, cutSome }: Disturbed): Promise<void> {
  const { arrangement, random } = harness;
  const answers = random.fork("answers");
  shop.delayMs = () => answers.between(0, MAX_ANSWER_MS);
  const people = Array.from({ length: PEOPLE }, (_, at) => new Shopper(harness, random.fork(`shopper ${at}`)));
  const freezes: Outage[] = [];
  try {
    const paceMs = await paceOf(() => settleAll(people.map((person) => person.shopOnce())));
    const windows = new KillWindows({ random, paceMs, lives: people });
    await liveThrough(harness, people, async () => {
      await settleAll([disturb(harness, windows, freezes), cutSome(freezes)]);
    });
    const ledger = {
      executions: shop.executions,
      decisions: people.flatMap(({ decisions }) => decisions),
      unknowns: people.flatMap(({ unknowns }) => unknowns),
      outages: outagesOf(arrangement.servers, freezes),
      answeredWithinMs: MAX_ANSWER_MS,
    };
    for (const chat of people.flatMap(({ chats }) => chats)) await check(harness, chat, ledger);
    countCalls(harness, ledger);
    await checkLeftovers(arrangement, harness.report);
  } finally {
    await runBuilt(arrangement);
  }
}

/** Restarts the servers from their sources, with the tools of the shop and a budget. */
async function runWithShop({ servers }: Arrangement, { url }: ShopServer): Promise<void> {
  for (const server of servers) {
    server.setProgram(entry, { SHOP_URL: `${url}/${server.name}`, MONTHLY_BUDGET_USD: "1000000" });
    await endServer(server, "SIGTERM");
    await server.start();
  }
}

async function runBuilt({ servers }: Arrangement): Promise<void> {
  for (const server of servers) {
    server.thaw();
    server.setProgram();
    await endServer(server, "SIGTERM");
    await server.start();
  }
}

/** Kills and freezes servers in a random order; other servers are killed while one is frozen. */
async function disturb(harness: Harness, windows: KillWindows, freezes: Outage[]): Promise<void> {
  const { arrangement, random, extent } = harness;
  let [kills, left] = [extent.toolKills, extent.freezes];
  while (kills + left > 0) {
    await windows.next();
    const server = random.pick(arrangement.servers);
    if (random.between(1, kills + left) <= kills) {
      kills--;
      await kill(harness, server);
      continue;
    }
    left--;
    const others = arrangement.servers.filter((other) => other !== server && kills > 0);
    const [victim] = random.sample(others, 1);
    if (victim) kills--;
    const thawed = freeze(harness, server, freezes);
    await settleAll([thawed, victim && delay(random.between(0, FREEZE_MS / 2)).then(() => kill(harness, victim))]);
  }
}

async function kill({ arrangement, random, report }: Harness, server: ServerProcess): Promise<void> {
  await endServer(server, "SIGKILL");
  report.count("SIGKILL with calls of tools");
  const isLong = arrangement.servers.length > 1 && random.chance(0.3);
  await delay(random.between(0, isLong ? LONG_ABSENCE_MS : 200));
  await server.start();
}

async function freeze({ report }: Harness, server: ServerProcess, freezes: Outage[]): Promise<void> {
  const outage = { server: server.name, from: performance.now(), to: Number.POSITIVE_INFINITY };
  freezes.push(outage);
  server.freeze();
  report.count("SIGSTOP for 8 s with calls of tools");
  await delay(FREEZE_MS);
  server.thaw();
  outage.to = performance.now();
}

async function check(harness: Harness, chat: ChatRecord, ledger: ToolLedger): Promise<void> {
  const { client, provider, random, report } = harness;
  for (const turn of chat.turns) await settleAll(turn.readers.map((reader) => client.follow(turn, {}, reader)));
  const stored = await client.openChat(chat.id);
  checkChat(report, chat, stored);
  for (const turn of chat.turns) {
    const reply = stored.messages.find(({ id }) => id === turn.replyId);
    if (!reply) continue;
    checkTools(report, { turn, reply, calls: provider.callsFor(turn.question) }, ledger);
    await checkText(harness, turn, { content: reply.content, random });
  }
}

/** Reads a reply as the specification alone says, from its beginning and from random positions. */
async function checkText(
  { client, report }: Harness,
  turn: Turn,
  { content, random }: { content: string; random: Random },
): Promise<void> {
  const positions = Array.from({ length: JOINS }, () => random.between(0, content.length));
  for (const from of [0, ...positions]) {
    const { run } = turn.reader.view;
    const path = `${conversationPaths.chatReply(turn.chatId)}?reply=${turn.replyId}&from=${from}&run=${run}`;
    const body = await persist("a reply that has ended was not read", async () => {
      const answer = await client.openOnceTaken({ method: "GET", path });
      const text = await answer.toArray().catch(() => undefined);
      return text && Buffer.concat(text).toString();
    });
    const text = textBySpecification(body);
    report.check(
      "a reader written from the specification alone gets the stored text of a reply with tools",
      text === content.slice(from),
      `reply ${turn.replyId} from ${from}: ${JSON.stringify(text)}, stored is ${JSON.stringify(content)}`,
    );
  }
}

/** Counts what has happened, so that a run in which nothing did is seen. */
function countCalls({ report }: Harness, { executions, decisions, unknowns }: ToolLedger): void {
  report.count("execution of a tool", executions.length);
  report.count("decision on a call", decisions.length);
  report.count("approval of a call", decisions.filter(({ answers }) => answers.includes("once")).length);
  report.count("call that was seen as unknown", new Set(unknowns.map(({ item }) => item)).size);
}
