import { log } from "../log.ts";

const WORKER = "/sw.js";

/** The one address that may become a worker of ours, whatever it is called with. */
const policy = { createScriptURL: () => WORKER };

/**
 * Has the browser keep the files of this build: pages open without a network, and find their parts while a new build
 * is deployed. Without a secure address, where the browser refuses or no network is there, all goes on without.
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

/** Paths of our own; the worker chooses the files among them. */
function loadedFiles(): string[] {
  const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
  return loaded.filter(({ origin }) => origin === window.location.origin).map(({ pathname }) => pathname);
}

/** Whoever pays for each byte loads what they use, and nothing ahead. */
function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
