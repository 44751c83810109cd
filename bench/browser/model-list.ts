import type { ModelGroup } from "../../contract/models/models.ts";
import { modelPaths } from "../../contract/models/paths.ts";
import type { Row } from "../results/row.ts";
import { median } from "../results/statistics.ts";
import { makeChat, openChat, openHarness } from "./harness.ts";
import { watchMainThread } from "./main-thread.ts";

const RUNS = 5;
const CONNECTIONS = 20;
const MODELS = 700;
const ALLOWED_TASK_MS = 100;

/** Measures the menu of 700 models at 20 connections: the longest task while it opens, is searched and is scrolled. */
export async function measureModelList(): Promise<Row[]> {
  await using harness = await openHarness();
  const chat = await makeChat(harness, ["Question", "Answer"]);
  const longest: Record<string, number[]> = { opens: [], "is searched": [], "is scrolled": [] };
  for (let run = 0; run < RUNS; run++) {
    const page = await harness.openPage();
    await page.route(`**${modelPaths.models}`, (route) => route.fulfill({ json: groups }));
    await openChat(page, harness, chat);
    const steps = {
      opens: async () => {
        await page.getByRole("button", { name: /^Model: / }).click();
        await page.getByRole("listbox").waitFor();
      },
      "is searched": () => page.keyboard.type("model 7", { delay: 50 }),
      "is scrolled": async () => {
        await page.keyboard.press("ControlOrMeta+a");
        await page.keyboard.press("Backspace");
        for (let press = 0; press < 60; press++) await page.keyboard.press("PageDown");
      },
    };
    for (const [name, work] of Object.entries(steps)) {
      const { longestCpuMs } = await watchMainThread(harness.browser, page, work);
      longest[name]?.push(longestCpuMs);
    }
    await page.context().close();
  }
  return Object.entries(longest).map(([name, times]) => ({
    name: `the menu of ${MODELS} models: longest task while it ${name}`,
    value: median(times),
    unit: "ms",
    allowed: ALLOWED_TASK_MS,
  }));
}

const groups = Array.from({ length: CONNECTIONS }, (_, connection): ModelGroup => {
  return {
    label: `Connection ${connection}`,
    models: Array.from({ length: MODELS / CONNECTIONS }, (_, at) => ({
      label: `vendor/model-${connection}-${at}`,
      value: `C${connection}:model-${at}`,
      available: true,
      images: true,
      tools: true,
      contextTokens: 131_072,
      price: { input: 3, output: 15 },
    })),
  };
});
