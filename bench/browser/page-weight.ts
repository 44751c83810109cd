import type { Page } from "@playwright/test";
import type { Row } from "../results/row.ts";
import { median } from "../results/statistics.ts";
import { type Harness, openHarness } from "./harness.ts";

const RUNS = 5;
/** Lighthouse's slow 4G profile. */
const SLOW = { offline: false, latency: 150, downloadThroughput: (1.6 * 1e6) / 8, uploadThroughput: (750 * 1e3) / 8 };

type Visit = { scriptKb: number; otherKb: number; paintMs: number; usableMs: number };

/** Measures the weight of the sign-in and chat pages, and the time until first paint and until they can be used. */
export async function measurePages(): Promise<Row[]> {
  const rows: Row[] = [];
  await using harness = await openHarness();
  const visits = [
    {
      name: "sign-in",
      open: () => harness.browser.newPage(),
      path: "/login",
      usable: "input[type=password]",
      allowedKb: 120,
    },
    { name: "chat", open: harness.openPage, path: "/chat", usable: "main textarea", allowedKb: 175 },
  ];
  for (const { name, open, path, usable, allowedKb } of visits) {
    for (const isSlow of [false, true]) {
      const found: Visit[] = [];
      for (let run = 0; run < RUNS; run++) found.push(await visit(await open(), harness, path, usable, isSlow));
      const middle = (of: (each: Visit) => number) => median(found.map(of));
      const where = isSlow ? "1.6 Mbit/s and 150 ms away" : "next to the server";
      const row = (what: string, unit: Row["unit"], of: (each: Visit) => number): Row => ({
        name: `the page for ${name}, ${where}: ${what}`,
        value: middle(of),
        unit,
      });
      rows.push(
        { ...row("script until usable", "kB", ({ scriptKb }) => scriptKb), allowed: allowedKb },
        row("other files until usable", "kB", ({ otherKb }) => otherKb),
        row("first paint", "ms", ({ paintMs }) => paintMs),
        row("usable", "ms", ({ usableMs }) => usableMs),
      );
    }
  }
  return rows;
}

async function visit(page: Page, { parley }: Harness, path: string, usable: string, isSlow: boolean): Promise<Visit> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Network.enable");
  if (isSlow) await cdp.send("Network.emulateNetworkConditions", SLOW);
  const types = new Map<string, string>();
  const bytes = { script: 0, other: 0 };
  cdp.on("Network.responseReceived", ({ requestId, type }) => types.set(requestId, type));
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    bytes[types.get(requestId) === "Script" ? "script" : "other"] += encodedDataLength;
  });
  await page.addInitScript((selector) => {
    const watcher = new MutationObserver(() => {
      if (!document.querySelector(selector)) return;
      watcher.disconnect();
      requestAnimationFrame(() => setTimeout(() => Object.assign(window, { usableMs: performance.now() })));
    });
    watcher.observe(document, { childList: true, subtree: true });
  }, usable);
  await page.goto(`${parley.url}${path}`, { waitUntil: "commit" });
  await page.waitForFunction(() => "usableMs" in window);
  const { script, other } = bytes;
  // The browser adds the performance entry some time after the paint.
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
  const times = await page.evaluate(() => ({
    paintMs: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
    usableMs: (window as unknown as { usableMs: number }).usableMs,
  }));
  await page.context().close();
  return { scriptKb: script / 1000, otherKb: other / 1000, ...times };
}
