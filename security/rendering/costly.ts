import type { CDPSession, Page } from "@playwright/test";
import type { Chat } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { jsonOf } from "../../testing/http/send.ts";
import { costlyMarkup } from "../../testing/rendering/costly-markup.ts";
import { type Person, signUp } from "../clients/person.ts";
import type { Harness } from "../security-suite.ts";
import type { Site } from "../site.ts";
import type { PlayProvider } from "./play-provider.ts";
import { openWatchedBrowser } from "./watched-browser.ts";

const LONGEST_TASK_MS = 200;
const WHOLE_MS = 3000;
const PIECE_CHARS = 4000;
/** A short run takes every n-th text. */
const SHORT_SHARE = 8;
/** Idle time after which a page counts as finished; loading and painting before that are measured. */
const QUIET_MS = 200;
const QUIET_TIMES = 4;

/** Processor time of the page, independent of the machine's load. */
type Cost = { longestMs: number; wholeMs: number };
type World = { site: Site; provider: PlayProvider; person: Person };

const inWords = ({ longestMs, wholeMs }: Cost) =>
  `longest task ${Math.round(longestMs)} ms, all ${Math.round(wholeMs)} ms`;

/** Measures how long these texts block the page, while they stream and when they are reopened. */
export async function tryCosts({ report, isShort }: Harness, site: Site, provider: PlayProvider): Promise<void> {
  const world = { site, provider, person: await signUp(site) };
  const names = Object.keys(costlyMarkup).filter((_, index) => !isShort || index % SHORT_SHARE === 0);
  await report.try("I9", "texts that are costly to parse, written and opened again", async (trial) => {
    const costs: [what: string, Cost][] = [];
    for (const name of names) {
      for (const [when, cost] of await costsOf(world, costlyMarkup[name] ?? "")) {
        costs.push([`${name}, ${when}`, cost]);
      }
    }
    for (const [what, cost] of costs) {
      const isBounded = cost.longestMs <= LONGEST_TASK_MS && cost.wholeMs <= WHOLE_MS;
      trial.expect(isShort || isBounded, `${what}: ${inWords(cost)}`);
    }
    const worst = costs.toSorted(([, a], [, b]) => b.longestMs - a.longestMs).slice(0, 3);
    for (const [what, cost] of worst) trial.note(`${what}: ${inWords(cost)}`);
  });
}

async function costsOf({ site, provider, person }: World, text: string): Promise<[when: string, Cost][]> {
  const name = provider.add({ pieces: text.match(new RegExp(`[\\s\\S]{1,${PIECE_CHARS}}`, "g")) ?? [] });
  const created = await site.send({
    method: "POST",
    path: API_BASE + conversationPaths.chats,
    token: person.token,
    body: {},
  });
  const { id } = jsonOf<Chat>(created);
  await using browser = await openWatchedBrowser({ url: site.url, person, looksAtElements: false });
  const page = await browser.page();
  const session = await browser.context.newCDPSession(page);
  await page.goto(`/chat?c=${id}`);
  await page.getByRole("main").getByPlaceholder("Message ChatGPT...").fill(name);
  // A search by role computes roles and names of all elements, on the thread that is measured.
  const answer = page.locator('[aria-label="Conversation"] ol').first().locator(":scope > li").nth(1);
  const isWhole = answer.locator('button[aria-label="Copy message"]');
  const written = await measured(session, page, async () => {
    await page.getByRole("main").getByRole("button", { name: "Send", exact: true }).click();
    await isWhole.waitFor({ state: "attached" });
  });
  await page.goto("/chat");
  await page.getByRole("main").getByPlaceholder("Message ChatGPT...").waitFor();
  const reopened = await measured(session, page, async () => {
    await page.goto(`/chat?c=${id}`);
    await isWhole.waitFor({ state: "attached" });
  });
  return [
    ["written", written],
    ["opened again", reopened],
  ];
}

type TraceEvent = { name: string; pid: number; tid: number; tdur?: number; args: { name?: string } };

/** Measures the thread time of the renderer's main threads while `act` runs. */
async function measured(session: CDPSession, page: Page, act: () => Promise<void>): Promise<Cost> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: object[] }) => void events.push(...(value as TraceEvent[]));
  session.on("Tracing.dataCollected", collect);
  await session.send("Tracing.start", { traceConfig: { includedCategories: ["toplevel", "__metadata"] } });
  await act();
  for (let times = 0; times < QUIET_TIMES; times++) {
    await page.waitForTimeout(QUIET_MS);
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  }
  const ended = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.end");
  await ended;
  session.off("Tracing.dataCollected", collect);
  const painters = new Set(
    events.filter(({ args }) => args.name === "CrRendererMain").map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = events
    .filter(({ name, pid, tid }) => /RunTask$/.test(name) && painters.has(`${pid} ${tid}`))
    .map(({ tdur = 0 }) => tdur / 1000);
  return { longestMs: tasks.reduce((a, b) => Math.max(a, b), 0), wholeMs: tasks.reduce((sum, ms) => sum + ms, 0) };
}
