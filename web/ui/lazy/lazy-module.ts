import { useEffect, useEffectEvent } from "react";
import { i18n } from "../../locales/i18n.ts";
import { log } from "../../log.ts";
import { Emitter } from "../../store/emitter.ts";
import { useStore } from "../../store/use-store.ts";
import { closeNotification, notify } from "../notifications/notify.ts";

/**
 * A dynamically imported module, loaded once. After a failure the next call tries again, or {@link loadMissingModules}.
 * A store of the module.
 */
export type LazyModule<Module> = {
  /** Undefined until it is loaded. */
  get: () => Module | undefined;
  /** Whether the last try has failed. */
  isMissing: () => boolean;
  load: () => Promise<Module>;
  /** For what a person asked for: a failure is shown as a notification, and gives undefined. */
  ask: () => Promise<Module | undefined>;
  subscribe: (listener: () => void) => () => void;
};

/** When a module is loaded ahead: while the chat itself is fetched, or once the chat page has settled. */
export type Preload = "with-chat" | "behind-chat";

/** The registry: what {@link preloadLazyModules} loads. */
const preloads: Record<Preload, (() => Promise<unknown>)[]> = { "with-chat": [], "behind-chat": [] };

/** Begins to load the modules that were registered for `when`. Code that needs a failed one loads it again. */
export function preloadLazyModules(when: Preload): void {
  for (const load of preloads[when]) load().catch(() => undefined);
}

/** The modules whose last try has failed. */
const missing = new Set<() => Promise<unknown>>();

/** Tries the failed modules again: the network may be back. */
export function loadMissingModules(): void {
  for (const load of [...missing]) load().catch(() => undefined);
}

/**
 * Registers a lazy module.
 * @param fetchModule the dynamic import; it stands in the file that needs the module, as chunks are made by that
 * @param preload without it the module is loaded when it is needed
 */
export function lazyModule<Module>(fetchModule: () => Promise<Module>, preload?: Preload): LazyModule<Module> {
  let loaded: Module | undefined;
  let loading: Promise<Module> | undefined;
  const changes = new Emitter();
  const load = () => {
    loading ??= fetchModule().then(
      (module) => {
        loaded = module;
        missing.delete(load);
        changes.notify();
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
 * The module once it is loaded, undefined until then and after a failure.
 * @param isWanted begins to load it
 * @param onMissing for a module that a person asked for: a failure is shown as a notification. The callback puts the
 *   control that they pressed back, so that another press tries again
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

let notification = 0;

function notifyMissing(cause: unknown): undefined {
  logMissingModule(cause);
  closeNotification(notification);
  notification = notify("error", i18n.t("app:failure.part"));
}

let logged: unknown;

/** Logs a failure once for all who wait for the module, and not while the browser is offline. */
export function logMissingModule(cause: unknown): void {
  if (cause === logged || !navigator.onLine) return;
  logged = cause;
  log.warn("A part of the page could not be loaded", cause);
}
