/** How the way to the server may have come back: the browser is online again, or the page is looked at again. */
export type Return = "online" | "visible";

/** Calls `listener` at each return. Gives the way to end that. */
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
