import type { Page, Request } from "@playwright/test";
import { API_BASE } from "#contract/http.ts";

const matchers = new Map<string, (url: URL) => boolean>();

/** Returns the same matcher for the same path, as Playwright's `unroute` compares functions by identity. */
function callsOf(path: string): (url: URL) => boolean {
  const matches = matchers.get(path) ?? (({ pathname }) => pathname === API_BASE + path);
  matchers.set(path, matches);
  return matches;
}

/** Response of a server or proxy; `network` means that the request fails without a response. */
export type RoutedAnswer = "network" | { status: number; body?: string; contentType?: string };

export const jsonAnswer = (status: number, body: unknown): RoutedAnswer => ({
  status,
  body: JSON.stringify(body),
  contentType: "application/json",
});

export const htmlAnswer = (status: number): RoutedAnswer => ({
  status,
  body: "<html><head><title>Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>",
  contentType: "text/html",
});

/** Answers the page's calls of that path from now on; they do not reach the server. */
export async function answerWith(page: Page, path: string, answer: RoutedAnswer): Promise<void> {
  await page.unroute(callsOf(path));
  await page.route(callsOf(path), (route) => (answer === "network" ? route.abort() : route.fulfill(answer)));
}

/** Lets the page's calls of that path reach the server again. */
export const answerNoLonger = (page: Page, path: string) => page.unroute(callsOf(path));

/** Holds calls of that path until `letGo`, so that a test can check the state in between. */
export const holdCalls = (page: Page, path: string) => hold(page, callsOf(path));

/** Holds all calls but those of that path until `letGo`, see {@link holdCalls}. */
export const holdOtherCalls = (page: Page, path: string) =>
  hold(page, (url) => url.pathname.startsWith(`${API_BASE}/`) && !callsOf(path)(url));

async function hold(page: Page, isHeld: (url: URL) => boolean): Promise<{ letGo: () => void }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(isHeld, async (route) => {
    await promise;
    await route.fallback();
  });
  return { letGo: resolve };
}

/** Returns an array that collects the page's calls of that path from now on. */
export function recordCalls(page: Page, path: string): Request[] {
  const calls: Request[] = [];
  page.on("request", (request) => {
    if (callsOf(path)(new URL(request.url()))) calls.push(request);
  });
  return calls;
}
