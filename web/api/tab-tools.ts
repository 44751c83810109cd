/** The part of Web Locks that is used, so that tests can bring their own. */
export type Locks = Pick<LockManager, "request">;

/** A way to all other tabs of the same origin; what it carries is plain data. */
export type TabChannel = {
  post: (message: unknown) => void;
  listen: (listener: (message: unknown) => void) => void;
  close: () => void;
};

/** How tabs come to terms with each other; null where the browser has no such thing, as on a page of plain http. */
export type TabTools = { locks: Locks; openChannel: (name: string) => TabChannel };

export function tabTools(): TabTools | null {
  if (!("locks" in navigator) || !navigator.locks || typeof BroadcastChannel !== "function") return null;
  return { locks: navigator.locks, openChannel };
}

function openChannel(name: string): TabChannel {
  const channel = new BroadcastChannel(name);
  return {
    post: (message) => channel.postMessage(message),
    listen: (listener) => channel.addEventListener("message", ({ data }) => listener(data)),
    close: () => channel.close(),
  };
}
