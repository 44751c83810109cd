/// <reference lib="webworker" />
/**
 * Keeps the files of a build in the browser, so that Parley opens without a network, and so that a page which is open
 * while a new build is deployed still finds its own parts. It never sees the API, and keeps nothing of any person.
 *
 * A new build's worker waits until no page uses the old one's, as browsers do by themselves; only then it forgets the
 * old files. Pages are of the new build before that: the document always comes from the network where there is one.
 */
import type { Build } from "./build.ts";
import { cacheBuild, cachedResponse, cacheLazyFiles, deleteOtherCaches, SHELL, wayOf } from "./cached-files.ts";

declare const self: ServiceWorkerGlobalScope;
/** Put in by the build. */
declare const BUILD: Build;

/** What takes longer comes from a network that is as good as none. */
const PAGE_PATIENCE_MS = 4000;
const FILE_PATIENCE_MS = 1000;

/** The browser's own way to the network, without a start of this worker. */
type Routing = { addRoutes?: (routes: object[]) => Promise<void> };

self.addEventListener("install", (event: ExtendableEvent & Routing) => {
  event.waitUntil(cacheBuild(caches, BUILD));
  const toNetwork = { condition: { urlPattern: { pathname: "/api/*" } }, source: "network" };
  event.addRoutes?.([toNetwork]).catch(() => undefined);
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

/** What the page that asks has loaded so far, also before there was a worker; our later parts come along. */
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

async function asset(event: FetchEvent): Promise<Response> {
  // Of any build: a page may be older or newer than this worker.
  const kept = await caches.match(event.request.url);
  if (kept) return kept;
  const answer = await fetch(event.request);
  if (answer.ok) event.waitUntil(cacheLazyFiles(caches, BUILD, [new URL(event.request.url).pathname]));
  return answer;
}

/** The server's answer, where it has one; what is kept is for the time without. */
async function newest(
  event: FetchEvent,
  asked: Promise<Response>,
  path: string,
  patienceMs: number,
): Promise<Response> {
  const answered = asked.catch(() => undefined);
  event.waitUntil(answered);
  const inTime = await Promise.race([answered, timePasses(patienceMs)]);
  // A proxy says these while the server behind it is away.
  if (inTime && ![502, 503, 504].includes(inTime.status)) return inTime;
  return (await cachedResponse(caches, path)) ?? inTime ?? asked;
}

async function fromNetwork({ request, preloadResponse }: FetchEvent): Promise<Response> {
  return (await preloadResponse) ?? fetch(request);
}

function timePasses(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms, undefined));
}
