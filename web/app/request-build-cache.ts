import { log } from "../log.ts";

const WORKER = "/sw.js";

/** Trusted Types policy that allows the service worker's URL only, whatever its argument. */
const policy = { createScriptURL: () => WORKER };

/**
 * Caches the files of this build in a service worker: pages open offline, and find their lazy modules while a new build
 * is deployed. Optional: does nothing on an insecure origin, without a network or if the browser refuses.
 */
export async function requestBuildCache(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  try {
    const script = (window.trustedTypes?.createPolicy("parley-worker", policy) ?? policy).createScriptURL(WORKER);
    await navigator.serviceWorker.register(script);
    const { active } = await navigator.serviceWorker.ready;
    if (!savesData()) active?.postMessage(loadedFiles());
  } catch (cause) {
    if (navigator.onLine) log.warn("This build could not be kept for later", cause);
  }
}

/** Returns the loaded same-origin paths; the worker selects the files to cache. */
function loadedFiles(): string[] {
  const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
  return loaded.filter(({ origin }) => origin === window.location.origin).map(({ pathname }) => pathname);
}

/** Whether the browser's data saver is on: then the worker caches no files ahead of their use. */
function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
