import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { openHarness } from "../browser/harness.ts";
import { peakMbOf } from "../harness/measured-process.ts";
import type { Row } from "../results/row.ts";
import { writeChatgptArchive } from "./chatgpt-archive.ts";

const SHAPE = { bytes: 1e9, chats: 2000, messagesPerChat: 20, named: 200 };
const ALLOWED_MB = 500;
/** Time limit of the import: a machine under load takes a multiple of the usual time. */
const TIMEOUT_MS = 900_000;

/** Measures the import of an archive of 1 GB in the page: the peak of the tab's memory, and the time. */
export async function measureMovingInBrowser(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"));
  try {
    const path = join(folder, "export.zip");
    writeChatgptArchive(path, SHAPE);
    return await importArchive(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function importArchive(path: string): Promise<Row[]> {
  await using harness = await openHarness();
  const page = await harness.openPage();
  await page.goto(`${harness.parley.url}/settings/data`);
  const section = page.getByRole("region", { name: "Import", exact: true });
  await section.locator('input[type="file"]').setInputFiles(path);
  const readingAt = performance.now();
  const start = section.getByRole("button", { name: /^Import [\d,]+ chats$/ });
  await start.waitFor({ timeout: TIMEOUT_MS });
  const importingAt = performance.now();
  await start.click();
  await section.getByRole("heading", { name: "The import is finished" }).waitFor({ timeout: TIMEOUT_MS });
  const endedAt = performance.now();
  await expectCount(page, "Imported chats", SHAPE.chats);
  await expectCount(page, "Uploaded files", SHAPE.named);
  const gigabytes = (await stat(path)).size / 1e9;
  const name = `archive of ${gigabytes.toPrecision(2)} GB of ChatGPT in the page`;
  return [
    {
      name: `${name}: peak of the tab's memory`,
      value: await peakOfTab(harness.browser),
      unit: "MB",
      allowed: ALLOWED_MB,
    },
    { name: `${name}: until the preview`, value: (importingAt - readingAt) / 1000, unit: "s" },
    { name: `${name}: import of ${SHAPE.chats} chats`, value: (endedAt - importingAt) / 1000, unit: "s" },
  ];
}

/** @throws if the report has another number */
async function expectCount(page: Page, label: string, count: number): Promise<void> {
  const found = await page.locator("dt", { hasText: label }).locator("+ dd").textContent();
  if (Number(found?.replace(",", "")) !== count) throw new Error(`${label}: ${found} instead of ${count}`);
}

/** Returns the largest resident memory that a renderer of the browser has had, with the code that processes share. */
async function peakOfTab(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const renderers = processInfo.filter(({ type }) => type === "renderer");
  return Math.max(...renderers.map(({ id }) => peakMbOf(id)));
}
