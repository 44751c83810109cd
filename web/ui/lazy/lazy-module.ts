import { useEffect, useEffectEvent } from "react";
import { SECOND } from "#contract/limits.ts";
import { i18n } from "../../locales/i18n.ts";
import { log } from "../../log.ts";
import { Emitter } from "../../store/emitter.ts";
import { useStore } from "../../store/use-store.ts";
import { afterPointer } from "../after-pointer.ts";
import { notify } from "../notifications/notify.ts";
import { whenIdle } from "../when-idle.ts";

/**
 * Observable store of a dynamically imported module, loaded once. After a failure the next call or
 * {@link loadMissingModules} retries.
 */
export type LazyModule<Module> = {
  /** Undefined until it is loaded, and while a pointer that was pressed before is held down. */
  get: () => Module | undefined;
  /** Whether the last attempt failed. */
  isMissing: () => boolean;
  load: () => Promise<Module>;
  /** Loads a module that the person requested: a failure shows a notification and resolves to undefined. */
  ask: () => Promise<Module | undefined>;
  subscribe: (listener: () => void) => () => void;
};

/** When a module is preloaded: while the chat itself is fetched, or afterwards, in idle moments of the chat page. */
export type Preload = "with-chat" | "after-chat";

/** Registry of the loaders that {@link preloadWithChat} and {@link preloadAfterChat} call. */
const preloads: Record<Preload, (() => Promise<unknown>)[]> = { "with-chat": [], "after-chat": [] };

/** Starts to load the modules registered for `with-chat`. Code that needs a failed module loads it again. */
export function preloadWithChat(): void {
  for (const load of preloads["with-chat"]) load().catch(() => undefined);
}

/** Wait for one preloaded module before the next one is loaded too, in ms. */
const LONGEST_LOAD_MS = 10 * SECOND;

/** Loads the modules registered for `after-chat` one after the other: many at once would delay what the person does. */
export async function preloadAfterChat(isWanted: () => boolean): Promise<void> {
  for (const load of preloads["after-chat"]) {
    await new Promise<void>(whenIdle);
    if (!isWanted()) return;
    const late = new Promise((resolve) => setTimeout(resolve, LONGEST_LOAD_MS));
    await Promise.race([load().catch(() => undefined), late]);
  }
}

/** Loaders of the modules whose last attempt failed. */
const missing = new Set<() => Promise<unknown>>();

/** Retries the failed modules, for example when the network may be back. */
export function loadMissingModules(): void {
  for (const load of [...missing]) load().catch(() => undefined);
}

/**
 * Registers a lazy module.
 * @param fetchModule the dynamic import, written in the file that needs the module: the bundler splits chunks by it
 * @param preload when to load the module ahead; without it, on first use
 */
export function lazyModule<Module>(fetchModule: () => Promise<Module>, preload?: Preload): LazyModule<Module> {
  let loaded: Module | undefined;
  let loading: Promise<Module> | undefined;
  const changes = new Emitter();
  const load = () => {
    loading ??= fetchModule().then(
      (module) => {
        missing.delete(load);
        // A component that replaces a button during a press would lose the click.
        afterPointer(() => {
          loaded = module;
          changes.notify();
        });
        return module;
      },
      (cause: unknown) => {
        loading = undefined;
        missing.add(load);
        changes.notify();
        throw cause;
      },
    );
    return loading;
  };
  if (preload) preloads[preload].push(load);
  return {
    get: () => loaded,
    isMissing: () => missing.has(load),
    load,
    ask: () => load().catch(notifyMissing),
    subscribe: changes.subscribe,
  };
}

/**
 * Returns the module once it is loaded; undefined until then and after a failure.
 * @param isWanted starts the load
 * @param onMissing for a module that the person requested: a failure shows a notification. The callback resets the
 *   control that was pressed, so that another press retries
 */
export function useLazyModule<Module>(
  lazy: LazyModule<Module>,
  isWanted = true,
  onMissing?: (() => void) | undefined,
): Module | undefined {
  const module = useStore({ subscribe: lazy.subscribe, get: () => (isWanted ? lazy.get() : undefined) });
  const isAwaited = isWanted && module === undefined;
  const onFailure = useEffectEvent((cause: unknown) => {
    if (!onMissing) {
      logMissingModule(cause);
      return;
    }
    notifyMissing(cause);
    onMissing();
  });
  useEffect(() => {
    if (!isAwaited) return;
    let isMounted = true;
    lazy.load().catch((cause: unknown) => {
      if (isMounted) onFailure(cause);
    });
    return () => {
      isMounted = false;
    };
  }, [lazy, isAwaited]);
  return module;
}

/**
 * Returns a preloaded module once it is loaded.
 * @param isNeeded starts the load before the preload does
 */
export function usePreloadedModule<Module>(lazy: LazyModule<Module>, isNeeded: boolean): Module | undefined {
  useLazyModule(lazy, isNeeded);
  return useStore(lazy);
}

function notifyMissing(cause: unknown): undefined {
  logMissingModule(cause);
  notify("error", i18n.t("app:failure.part"));
}

let logged: unknown;

/** Logs a failure once for all waiting components, and not while the browser is offline. */
export function logMissingModule(cause: unknown): void {
  if (cause === logged || !navigator.onLine) return;
  logged = cause;
  log.warn("A part of the page could not be loaded", cause);
}
