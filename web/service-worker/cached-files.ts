/** Cache of the service worker for the files of our builds. It contains no personal data. */

import type { Build } from "./build.ts";

export const CACHE_PREFIX = "parley-";
/** Cache key of the only document: addresses of pages may contain chat ids and secret keys. */
export const SHELL = "/";

const ASSET = /^\/assets\/[^/]+$/;
/** Paths that are not pages of the app, although a window may navigate to them. The page of a link is `s`. */
const NO_PAGE = /^\/(api|healthz|readyz|sandbox|s|shared-page)(\/|$)|\.\w+$/;

/** Source of a response: the document, a file of a build, a file with a stable name, or only the network. */
export type Way = "page" | "asset" | "beside" | "network";

export function wayOf({ method, mode, destination, url }: Request, origin: string, beside: readonly string[]): Way {
  const { origin: from, pathname } = new URL(url);
  if (method !== "GET" || from !== origin) return "network";
  if (ASSET.test(pathname)) return "asset";
  if (beside.includes(pathname)) return "beside";
  return mode === "navigate" && destination === "document" && !NO_PAGE.test(pathname) ? "page" : "network";
}

/** Caches a build. The document is stored last: only a cache with the document is a complete build. */
export async function cacheBuild(caches: CacheStorage, { id, entry, shell, beside }: Build): Promise<void> {
  const cache = await caches.open(CACHE_PREFIX + id);
  // Files with hashed names are immutable: copies from the HTTP cache are valid.
  await cache.addAll([...shell, ...beside.map((path) => new Request(path, { cache: "no-cache" }))]);
  const page = await fetch(SHELL, { cache: "no-cache", credentials: "omit" });
  const isOfThisBuild = page.ok && !page.redirected && (await page.clone().text()).includes(entry);
  if (!isOfThisBuild) throw new Error("The server has another build by now");
  await cache.put(SHELL, page);
}

/** Caches files one by one, so that the page's requests come first; a failed file is fetched when it is needed. */
export async function cacheLazyFiles(caches: CacheStorage, { id }: Build, paths: readonly string[]): Promise<void> {
  const cache = await caches.open(CACHE_PREFIX + id);
  for (const path of paths) {
    if (!ASSET.test(path) || (await cache.match(path))) continue;
    await cache.add(path).catch(() => undefined);
  }
}

/** Returns the document, or a file with a stable name, of the newest complete build in the cache. */
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
