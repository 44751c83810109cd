/** Where the service worker keeps the files of our builds; what it keeps holds nothing of any person. */

import type { Build } from "./build.ts";

export const CACHE_PREFIX = "parley-";
/** The one document, under an address of its own: those of pages may tell of chats, and carry keys. */
export const SHELL = "/";

const ASSET = /^\/assets\/[^/]+$/;
/** Addresses that are no pages of ours, though a window may go to them. */
const NO_PAGE = /^\/(api|healthz|readyz|sandbox)(\/|$)|\.\w+$/;

/** How a request is answered: by the document, by a file of a build, by one beside them, or by the network alone. */
export type Way = "page" | "asset" | "beside" | "network";

export function wayOf({ method, mode, destination, url }: Request, origin: string, beside: readonly string[]): Way {
  const { origin: from, pathname } = new URL(url);
  if (method !== "GET" || from !== origin) return "network";
  if (ASSET.test(pathname)) return "asset";
  if (beside.includes(pathname)) return "beside";
  return mode === "navigate" && destination === "document" && !NO_PAGE.test(pathname) ? "page" : "network";
}

/** Whole or not at all: the document comes last, and only a cache that has it counts as a build. */
export async function cacheBuild(caches: CacheStorage, { id, entry, shell, beside }: Build): Promise<void> {
  const cache = await caches.open(CACHE_PREFIX + id);
  // Hashed names never change what they name: the browser's own copies will do.
  await cache.addAll([...shell, ...beside.map((path) => new Request(path, { cache: "no-cache" }))]);
  const page = await fetch(SHELL, { cache: "no-cache", credentials: "omit" });
  const isOfThisBuild = page.ok && !page.redirected && (await page.clone().text()).includes(entry);
  if (!isOfThisBuild) throw new Error("The server has another build by now");
  await cache.put(SHELL, page);
}

/** One after the other, so that the page's own requests come first; what fails is asked for when it is needed. */
export async function cacheLazyFiles(caches: CacheStorage, { id }: Build, paths: readonly string[]): Promise<void> {
  const cache = await caches.open(CACHE_PREFIX + id);
  for (const path of paths) {
    if (!ASSET.test(path) || (await cache.match(path))) continue;
    await cache.add(path).catch(() => undefined);
  }
}

/** The document, or a file beside it, of the newest whole build that is kept. */
export async function cachedResponse(caches: CacheStorage, path: string): Promise<Response | undefined> {
  const names = (await caches.keys()).filter((name) => name.startsWith(CACHE_PREFIX));
  for (const name of names.reverse()) {
    const cache = await caches.open(name);
    if (await cache.match(SHELL)) return cache.match(path);
  }
  return undefined;
}

export async function deleteOtherCaches(caches: CacheStorage, { id }: Build): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(CACHE_PREFIX) && name !== CACHE_PREFIX + id);
  await Promise.all(others.map((name) => caches.delete(name)));
}
