import type { Page } from "@playwright/test";
import type { Row } from "../results/row.ts";
import { largest, median, quantile } from "../results/statistics.ts";
import { type Harness, makeChat, openChat, openHarness } from "./harness.ts";
import { type Spans, timeSpans } from "./main-thread.ts";
import { PACE } from "./streaming.ts";
import { buildYardsticks } from "./yardstick-pages.ts";

const KEYS = 100;
const KEY_EVERY_MS = 80;
const ALLOWED_MS = 16;
/** For the longest key, beyond the longest in the bare box. */
const ALLOWED_BEYOND_MS = 50;
const KEY_PAINT = "key-paint";
const REPLY = `prose 100000 ${PACE}`;

const measures: Record<string, (spans: Spans) => number> = {
  p50: ({ clock }) => median(clock),
  p95: ({ clock }) => quantile(clock, 0.95),
  "p95 of waiting": ({ waiting }) => quantile(waiting, 0.95),
  "p95 by processor time": ({ cpu }) => quantile(cpu, 0.95),
};

/**
 * Measures from a key press to the end of the frame that shows it, on an idle page and while a reply streams. The
 * yardsticks are a plain text area on an empty page (the cost of the browser itself), and one below a reply that
 * Streamdown renders with its defaults.
 */
export async function measureTyping({ hasYardsticks }: { hasYardsticks: boolean }): Promise<Row[]> {
  await using pages = hasYardsticks ? await buildYardsticks() : undefined;
  await using harness = await openHarness(pages?.folder);
  const bare = pages && (await typeBeside(harness, {}));
  const streamdown = pages && (await typeBeside(harness, { with: "Streamdown", say: REPLY }));
  const { idle, writing } = await typeInParley(harness);
  const rows = (claim: string, spans: Spans, beside?: { name: string; spans: Spans }): Row[] =>
    Object.entries(measures).map(([part, of]) => ({
      name: `from a key press to its paint ${claim}, ${part}`,
      value: of(spans),
      unit: "ms",
      ...(beside && { yardstick: { name: beside.name, value: of(beside.spans) } }),
    }));
  const alone = bare && { name: "bare box", spans: bare };
  const claim = "while a reply grows";
  return [
    ...rows(claim, writing, alone).map((row) => (row.name.endsWith(" p95") ? { ...row, allowed: ALLOWED_MS } : row)),
    ...(bare
      ? [
          {
            name: `from a key press to its paint ${claim}, longest beyond that of a bare box`,
            value: largest(writing.clock) - largest(bare.clock),
            unit: "ms" as const,
            allowed: ALLOWED_BEYOND_MS,
          },
        ]
      : []),
    ...rows("without a reply", idle, alone),
    ...(streamdown
      ? rows(`${claim}, by Streamdown`, writing, { name: "bare box below Streamdown", spans: streamdown })
      : []),
  ];
}

async function typeInParley(harness: Harness): Promise<{ idle: Spans; writing: Spans }> {
  const page = await harness.openPage();
  await openChat(page, harness, await makeChat(harness));
  const idle = await typeWords(harness, page);
  await page.keyboard.press("Control+A");
  await page.keyboard.type(REPLY);
  await page.keyboard.press("Enter");
  const writing = await typeWords(harness, page);
  await page.context().close();
  return { idle, writing };
}

/** Types into the plain text area of the yardsticks' page. */
async function typeBeside(harness: Harness, shown: Record<string, string>): Promise<Spans> {
  const page = await harness.browser.newPage();
  await page.goto(`${harness.sourceUrl}/index.html?${new URLSearchParams({ ...shown, box: "bare" })}`);
  await page.locator("textarea").focus();
  const spans = await typeWords(harness, page);
  await page.close();
  return spans;
}

async function typeWords({ browser }: Harness, page: Page): Promise<Spans> {
  await page.evaluate((name) => {
    const channel = new MessageChannel();
    let pressedAt = 0;
    // Received in the first task after the frame.
    channel.port1.onmessage = () => performance.measure(name, { start: pressedAt, end: performance.now() });
    const onKey = (event: KeyboardEvent) => {
      pressedAt = event.timeStamp;
      requestAnimationFrame(() => channel.port2.postMessage(0));
    };
    addEventListener("keydown", onKey, { capture: true });
    Object.assign(window, { endKeys: () => removeEventListener("keydown", onKey, { capture: true }) });
  }, KEY_PAINT);
  const times = await timeSpans(browser, page, KEY_PAINT, async () => {
    for (let key = 0; key < KEYS; key++) {
      await page.keyboard.press(key % 6 === 5 ? "Space" : "a");
      await page.waitForTimeout(KEY_EVERY_MS);
    }
  });
  await page.evaluate(() => (window as unknown as { endKeys: () => void }).endKeys());
  return times;
}
