/// <reference lib="webworker" />
/**
 * Caches the files of a build, so that Parley opens offline, and so that a page which is open during a deployment can
 * still load its own lazy chunks. It answers neither API requests nor pages of links, and stores no personal data. A click on a notification
 * opens its chat.
 *
 * The worker of a new build activates when no page uses the old worker (the browser's default), and only then deletes
 * the old files. New pages are of the new build before that: online, the document always comes from the network.
 */
import type { Build } from "./build.ts";
import { cacheBuild, cachedResponse, cacheLazyFiles, deleteOtherCaches, SHELL, wayOf } from "./cached-files.ts";
import { openClickedChat } from "./clicked-notification.ts";

declare const self: ServiceWorkerGlobalScope;
/** Replaced by the build. */
declare const BUILD: Build;

/** Timeouts after which the cache answers, as if offline. */
const PAGE_PATIENCE_MS = 4000;
const FILE_PATIENCE_MS = 1000;

/** Static Routing API: the browser sends matching requests to the network without starting this worker. */
type Routing = { addRoutes?: (routes: object[]) => Promise<void> };

self.addEventListener("install", (event: ExtendableEvent & Routing) => {
  event.waitUntil(cacheBuild(caches, BUILD));
  const toNetwork = ["/api/*", "/s/*"].map((pathname) => ({
    condition: { urlPattern: { pathname } },
    source: "network",
  }));
  event.addRoutes?.(toNetwork).catch(() => undefined);
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    Promise.all([
      deleteOtherCaches(caches, BUILD),
      self.registration.navigationPreload?.enable().catch(() => undefined),
      self.clients.claim(),
    ]),
  );
});

/** Caches the files that a page has loaded, also before the worker was active, and our lazy chunks. */
self.addEventListener("message", (event) => {
  const { data }: { data: unknown } = event;
  if (!Array.isArray(data)) return;
  const loaded = data.filter((path) => typeof path === "string");
  event.waitUntil(cacheLazyFiles(caches, BUILD, [...loaded, ...BUILD.parts]));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin } = self.location;
  const way = wayOf(request, origin, BUILD.beside);
  if (way === "asset") event.respondWith(asset(event));
  else if (way === "page") event.respondWith(newest(event, fromNetwork(event), SHELL, PAGE_PATIENCE_MS));
  else if (way === "beside") {
    event.respondWith(newest(event, fetch(request), new URL(request.url).pathname, FILE_PATIENCE_MS));
  }
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openClickedChat(self.clients, event.notification.data));
});

async function asset(event: FetchEvent): Promise<Response> {
  // Searches the caches of all builds: a page may be older or newer than this worker.
  const cached = await caches.match(event.request.url);
  if (cached) return cached;
  const answer = await fetch(event.request);
  if (answer.ok) event.waitUntil(cacheLazyFiles(caches, BUILD, [new URL(event.request.url).pathname]));
  return answer;
}

/** Network first: returns the server's response, or the cached file if it fails or exceeds the timeout. */
async function newest(
  event: FetchEvent,
  asked: Promise<Response>,
  path: string,
  patienceMs: number,
): Promise<Response> {
  const answered = asked.catch(() => undefined);
  event.waitUntil(answered);
  const inTime = await Promise.race([answered, timePasses(patienceMs)]);
  // Status codes of a proxy whose server is unreachable.
  if (inTime && ![502, 503, 504].includes(inTime.status)) return inTime;
  return (await cachedResponse(caches, path)) ?? inTime ?? asked;
}

async function fromNetwork({ request, preloadResponse }: FetchEvent): Promise<Response> {
  return (await preloadResponse) ?? fetch(request);
}

function timePasses(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms, undefined));
}
