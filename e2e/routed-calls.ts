import type { Page, Request } from "@playwright/test";
import { API_BASE } from "#contract/paths.ts";

const matchers = new Map<string, (url: URL) => boolean>();

/** The same function for the same path, by which alone Playwright can forget a route again. */
function callsOf(path: string): (url: URL) => boolean {
  const matches = matchers.get(path) ?? (({ pathname }) => pathname === API_BASE + path);
  matchers.set(path, matches);
  return matches;
}

/** What a server, or something on the way to it, answers; `network`: no answer at all. */
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

/** From now on the page's calls of that path get this answer; the server never sees them. */
export async function answerWith(page: Page, path: string, answer: RoutedAnswer): Promise<void> {
  await page.unroute(callsOf(path));
  await page.route(callsOf(path), (route) => (answer === "network" ? route.abort() : route.fulfill(answer)));
}

/** The page's calls of that path reach the server again. */
export const answerNoLonger = (page: Page, path: string) => page.unroute(callsOf(path));

/** Keeps calls of that path waiting until they are let go, so that what a person sees meanwhile can be looked at. */
export async function holdCalls(page: Page, path: string): Promise<{ letGo: () => void }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(callsOf(path), async (route) => {
    await promise;
    await route.fallback();
  });
  return { letGo: resolve };
}

/** The calls of that path that the page makes from now on. */
export function recordCalls(page: Page, path: string): Request[] {
  const calls: Request[] = [];
  page.on("request", (request) => {
    if (callsOf(path)(new URL(request.url()))) calls.push(request);
  });
  return calls;
}
