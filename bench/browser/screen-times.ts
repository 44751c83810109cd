import type { Page } from "@playwright/test";
import type { Row } from "../results/row.ts";
import { median } from "../results/statistics.ts";
import { type Harness, makeChat, openChat, openHarness } from "./harness.ts";
import { busynessRows, watchMainThread } from "./main-thread.ts";
import { shapes, textOf } from "./shapes.ts";

const RUNS = 7;
const LONG_CHAT = 2000;
const SHORT_CHAT = 20;
const WHEELS = 60;
/** UTF-16 units of each answer of the chat of mixed answers. */
const MIXED_ANSWER = 3000;
/** Time after the paint in which the window of messages grows and code is highlighted. */
const GROWN_AFTER_MS = 2000;
const ALLOWED_TASK_MS = 100;

/**
 * Measures from the click in the sidebar to painted messages: two chats of 2,000 messages, of short and of long mixed
 * answers, and two cached chats.
 */
export async function measureChats(): Promise<Row[]> {
  await using harness = await openHarness();
  const short = [textOf("prose", 600)];
  const mixed = shapes.map((shape) => textOf(shape, MIXED_ANSWER));
  const messages = (count: number, name: string, answers = short) =>
    Array.from({ length: count }, (_, at) =>
      at % 2 === 0 ? `Question ${at} of ${name}` : `${answers[(at >> 1) % answers.length]}\n\nEnd ${at} of ${name}`,
    );
  const chats = {
    long: await makeChat(harness, messages(LONG_CHAT, "long")),
    mixed: await makeChat(harness, messages(LONG_CHAT, "mixed", mixed)),
    one: await makeChat(harness, messages(SHORT_CHAT, "one")),
    other: await makeChat(harness, messages(SHORT_CHAT, "other")),
  };
  const times = { long: [] as number[], known: [] as number[] };
  for (let run = 0; run < RUNS; run++) {
    const page = await harness.openPage();
    await openChat(page, harness, chats.one);
    times.long.push(await clickChat(page, chats.long, `End ${LONG_CHAT - 1} of long`));
    await clickChat(page, chats.other, `End ${SHORT_CHAT - 1} of other`);
    times.known.push(await clickChat(page, chats.one, `End ${SHORT_CHAT - 1} of one`));
    await page.context().close();
  }
  return [
    {
      name: `a chat of ${LONG_CHAT} messages, from the click to its paint`,
      value: median(times.long),
      unit: "ms",
      allowed: 300,
    },
    {
      name: "a chat that was open before, from the click to its paint",
      value: median(times.known),
      unit: "ms",
      allowed: 100,
    },
    await measureLongestTask(harness, chats.one, chats.long, "long"),
    await measureLongestTask(harness, chats.one, chats.mixed, "mixed"),
    ...(await measureFirstChat(harness, chats.mixed, chats.other)),
    ...(await measureScrolling(harness, chats.long)),
  ];
}

/**
 * Measures the first chat that is clicked on a page that has just loaded, when no module of a conversation is there yet:
 * from the click to the paint, and the longest task by its processor time.
 */
async function measureFirstChat(harness: Harness, long: string, short: string): Promise<Row[]> {
  const open = async (chat: string, words: string) => {
    const times: number[] = [];
    const longest: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const page = await harness.openPage();
      const { longestCpuMs } = await watchMainThread(harness.browser, page, async () => {
        await page.goto(`${harness.parley.url}/chat`);
        await page.locator(`nav [data-chat="${chat}"] a`).first().waitFor();
        times.push(await clickWhenListed(page, chat, words));
        await page.waitForTimeout(GROWN_AFTER_MS);
      });
      longest.push(longestCpuMs);
      await page.context().close();
    }
    return { time: median(times), longest: median(longest) };
  };
  const first = await open(long, `End ${LONG_CHAT - 1} of mixed`);
  const yardstick = await open(short, `End ${SHORT_CHAT - 1} of other`);
  const name = `the first chat of a page, with ${LONG_CHAT} messages`;
  const beside = `with ${SHORT_CHAT} messages`;
  return [
    {
      name: `${name}, from the click to its paint`,
      value: first.time,
      unit: "ms",
      yardstick: { name: beside, value: yardstick.time },
      allowedRatio: 2,
    },
    {
      name: `${name}: longest task since the page began to load`,
      value: first.longest,
      unit: "ms",
      yardstick: { name: beside, value: yardstick.longest },
      allowed: ALLOWED_TASK_MS,
    },
  ];
}

const answersOf = {
  long: "answers of 600 characters",
  mixed: "answers of 3,000 characters with code, tables and lists",
};

/** Measures the longest task by its processor time, from the click in another chat until the window has grown. */
async function measureLongestTask(
  harness: Harness,
  other: string,
  chat: string,
  name: keyof typeof answersOf,
): Promise<Row> {
  const longest: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const page = await harness.openPage();
    await openChat(page, harness, other);
    const { longestCpuMs } = await watchMainThread(harness.browser, page, async () => {
      await clickChat(page, chat, `End ${LONG_CHAT - 1} of ${name}`);
      await page.waitForTimeout(GROWN_AFTER_MS);
    });
    longest.push(longestCpuMs);
    await page.context().close();
  }
  return {
    name: `a chat of ${LONG_CHAT} messages, ${answersOf[name]}: longest task while it opens`,
    value: median(longest),
    unit: "ms",
    allowed: ALLOWED_TASK_MS,
  };
}

/** Clicks a chat of a page at rest. @returns ms until the text is painted */
async function clickChat(page: Page, chat: string, words: string): Promise<number> {
  await page.waitForTimeout(500);
  return clickWhenListed(page, chat, words);
}

/** Installs the measurement, clicks, and waits until the text is painted. @returns ms */
async function clickWhenListed(page: Page, chat: string, words: string): Promise<number> {
  await page.evaluate((awaited) => {
    const done = new Promise<number>((resolve) => {
      const onClick = ({ timeStamp }: Event) => {
        const checkPainted = () => {
          const last = document.querySelector("main section ol > li:last-child");
          if (!last?.textContent.includes(awaited)) return requestAnimationFrame(checkPainted);
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.now() - timeStamp);
          return port2.postMessage(0);
        };
        requestAnimationFrame(checkPainted);
      };
      addEventListener("click", onClick, { capture: true, once: true });
    });
    Object.assign(window, { done });
  }, words);
  await page.locator(`nav [data-chat="${chat}"] a`).first().click();
  return page.evaluate(() => (window as unknown as { done: Promise<number> }).done);
}

async function measureScrolling(harness: Harness, chat: string): Promise<Row[]> {
  const page = await harness.openPage();
  await openChat(page, harness, chat);
  await page.mouse.move(800, 400);
  const found = await watchMainThread(harness.browser, page, async () => {
    for (let wheel = 0; wheel < WHEELS; wheel++) {
      await page.mouse.wheel(0, -400);
      await page.waitForTimeout(50);
    }
  });
  return busynessRows("scrolling up through it", found);
}
