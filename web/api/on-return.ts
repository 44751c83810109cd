import { Emitter } from "../store/emitter.ts";

/**
 * Reason why the server may be reachable again, or may answer otherwise than before: the browser is online again, the
 * page is visible again, or the lost stream of events is connected again.
 */
export type ReturnReason = "online" | "visible" | "reconnected";

const reconnections = new Emitter();

/** Reports that the lost stream of events is connected again: the server may have restarted with other settings. */
export const notifyReconnected = reconnections.notify;

/** Calls `listener` at each return. Returns the unsubscribe function. */
export function onReturn(listener: (reason: ReturnReason) => void): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  const endReconnections = reconnections.subscribe(() => listener("reconnected"));
  globalThis.addEventListener?.("online", () => listener("online"), { signal });
  globalThis.document?.addEventListener(
    "visibilitychange",
    () => {
      if (document.visibilityState === "visible") listener("visible");
    },
    { signal },
  );
  return () => {
    endReconnections();
    leaving.abort();
  };
}
