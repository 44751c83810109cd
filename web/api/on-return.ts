/** Reason why the server may be reachable again: the browser is online again, or the page is visible again. */
export type Return = "online" | "visible";

/** Calls `listener` at each return. Returns the unsubscribe function. */
export function onReturn(listener: (how: Return) => void): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  globalThis.addEventListener?.("online", () => listener("online"), { signal });
  globalThis.document?.addEventListener(
    "visibilitychange",
    () => {
      if (document.visibilityState === "visible") listener("visible");
    },
    { signal },
  );
  return () => leaving.abort();
}
