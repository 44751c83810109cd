import { useEffect, useEffectEvent } from "react";
import { i18n } from "../../locales/i18n.ts";
import { log } from "../../log.ts";
import { Emitter } from "../../store/emitter.ts";
import { useStore } from "../../store/use-store.ts";
import { closeNotification, notify } from "../notifications/notify.ts";

/**
 * A part of the script that is loaded apart from the page, once; after a failure the next call tries again, or
 * {@link loadMissing}.
 */
export type Later<Module> = {
  /** Undefined until it is there. */
  current: () => Module | undefined;
  /** Whether the last try has failed. */
  isMissing: () => boolean;
  load: () => Promise<Module>;
  /** For what a person asked for: where it cannot be had, they are told, and it gives undefined. */
  ask: () => Promise<Module | undefined>;
  subscribe: (listener: () => void) => () => void;
};

/** What could not be had, and has not come since. */
const missing = new Set<() => Promise<unknown>>();

/** The way to the server may be back: asks again for the parts that could not be had. */
export function loadMissing(): void {
  for (const load of [...missing]) load().catch(() => undefined);
}

export function later<Module>(fetchPart: () => Promise<Module>): Later<Module> {
  let loaded: Module | undefined;
  let loading: Promise<Module> | undefined;
  const changes = new Emitter();
  const load = () => {
    loading ??= fetchPart().then(
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
  return {
    current: () => loaded,
    isMissing: () => missing.has(load),
    load,
    ask: () => load().catch(tellMissing),
    subscribe: changes.subscribe,
  };
}

/**
 * The part as soon as it is there, undefined until then: what is on the screen stays, also where it cannot be had.
 * `isWanted`: begins to load it. `onMissing`: a person asked for it, and is told where it cannot be had; what they
 * pressed is to be as before, so that another press tries again.
 */
export function useLater<Module>(
  part: Later<Module>,
  isWanted = true,
  onMissing?: (() => void) | undefined,
): Module | undefined {
  const module = useStore({ subscribe: part.subscribe, get: () => (isWanted ? part.current() : undefined) });
  const isAwaited = isWanted && module === undefined;
  const onFailure = useEffectEvent((cause: unknown) => {
    if (!onMissing) {
      note(cause);
      return;
    }
    tellMissing(cause);
    onMissing();
  });
  useEffect(() => {
    if (!isAwaited) return;
    let isHere = true;
    part.load().catch((cause: unknown) => {
      if (isHere) onFailure(cause);
    });
    return () => {
      isHere = false;
    };
  }, [part, isAwaited]);
  return module;
}

let told = 0;

function tellMissing(cause: unknown): undefined {
  note(cause);
  closeNotification(told);
  told = notify("error", i18n.t("app:failure.part"));
}

let noted: unknown;

/** Many may wait for the same part; that nothing is loaded without a network needs no word. */
export function note(cause: unknown): void {
  if (cause === noted || !navigator.onLine) return;
  noted = cause;
  log.warn("A part of the page could not be loaded", cause);
}
