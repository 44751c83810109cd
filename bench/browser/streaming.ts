import type { Page } from "@playwright/test";
import type { Row } from "../results/row.ts";
import { median } from "../results/statistics.ts";
import { type Harness, makeChat, openChat, openHarness } from "./harness.ts";
import { type Busyness, busynessRows, watchMainThread } from "./main-thread.ts";
import type { Shape } from "./shapes.ts";
import { buildYardsticks, yardsticks } from "./yardstick-pages.ts";

export type StreamingOptions = {
  shapes: readonly Shape[];
  runs: number;
  /** UTF-16 units of each reply. */
  length: number;
  hasYardsticks: boolean;
};

/** UTF-16 units a second (about 1,200 tokens): 100 kB in 18 s. Faster than current models, to keep runs short. */
export const PACE = 5500;
const CHAT = /\/api\/chat\/[^/?]+$/;
const PAINTED_AFTER_MS = 500;
/** Time limit of a yardstick; an unfinished one is measured up to it. */
const LONGEST_MS = 60_000;

/** Measures the main thread while a reply of each shape streams, beside other renderers of the same text. */
export async function measureStreaming({ shapes, runs, length, hasYardsticks }: StreamingOptions): Promise<Row[]> {
  const rows: Row[] = [];
  await using pages = hasYardsticks ? await buildYardsticks() : undefined;
  await using harness = await openHarness(pages?.folder);
  for (const [name, isOpen] of [
    ["folded", false],
    ["opened", true],
  ] as const) {
    const found: Busyness[] = [];
    for (let run = 0; run < runs; run++) {
      found.push(
        await streamInParley(harness, `prose ${length} ${PACE} reasoning`, isOpen ? openReasoning : undefined),
      );
    }
    rows.push(...busynessRows(`reasoning of ${length / 1000} kB, ${name}`, middleOf(found)));
  }
  for (const shape of shapes) {
    const parley: Busyness[] = [];
    for (let run = 0; run < runs; run++) parley.push(await streamInParley(harness, `${shape} ${length} ${PACE}`));
    const claim = `a reply of ${length / 1000} kB, one ${shape}`;
    const middle = middleOf(parley);
    rows.push(...busynessRows(claim, middle));
    if (!pages) continue;
    for (const yardstick of yardsticks) {
      // The differences are so large that one run each is enough.
      const found = await streamInYardstick(harness, yardstick, `${shape} ${length} ${PACE}`);
      rows.push({
        name: `${claim}: main thread busy, by ${yardstick}`,
        value: 100 * middle.busyCpu,
        unit: "%",
        yardstick: { name: yardstick, value: 100 * found.busyCpu },
      });
    }
  }
  return rows;
}

function middleOf(found: readonly Busyness[]): Busyness {
  const middle = (of: (each: Busyness) => number) => median(found.map(of));
  return {
    busy: middle(({ busy }) => busy),
    busyCpu: middle(({ busyCpu }) => busyCpu),
    longTasks: middle(({ longTasks }) => longTasks),
    longCpuTasks: middle(({ longCpuTasks }) => longCpuTasks),
    longestMs: middle(({ longestMs }) => longestMs),
    longestCpuMs: middle(({ longestCpuMs }) => longestCpuMs),
  };
}

/** Opens the growing reasoning. */
const openReasoning = (page: Page) => page.getByRole("button", { name: "Thinking..." }).click();

/** `begun`: called once the reply has been requested. */
async function streamInParley(
  harness: Harness,
  question: string,
  begun: (page: Page) => Promise<void> = async () => {},
): Promise<Busyness> {
  const page = await harness.openPage();
  await openChat(page, harness, await makeChat(harness));
  const found = await watchMainThread(harness.browser, page, async () => {
    // The page fetches the whole chat once after the last word. Waiting for an element instead would poll the page and
    // disturb the measurement.
    const read = page.waitForResponse((answer) => CHAT.test(answer.url()), { timeout: 2 * LONGEST_MS });
    await page.getByRole("main").locator("textarea").fill(question);
    await page.keyboard.press("Enter");
    await begun(page);
    await (await read).finished();
    await page.waitForTimeout(PAINTED_AFTER_MS);
  });
  await page.context().close();
  return found;
}

async function streamInYardstick({ browser, sourceUrl }: Harness, name: string, say: string): Promise<Busyness> {
  const page = await browser.newPage();
  const found = await watchMainThread(browser, page, async () => {
    const read = page.waitForEvent("console", { predicate: (line) => line.text() === "all read", timeout: LONGEST_MS });
    await page.goto(`${sourceUrl}/index.html?${new URLSearchParams({ with: name, say })}`);
    await read.catch(() => undefined);
  });
  await page.close();
  return found;
}
