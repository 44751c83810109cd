/** The methods of Web Locks in use, so that tests can replace them. */
export type Locks = Pick<LockManager, "request">;

/** Channel to all other tabs of the same origin; messages are plain data. */
export type TabChannel = {
  post: (message: unknown) => void;
  listen: (listener: (message: unknown) => void) => void;
  close: () => void;
};

/** Tools that coordinate tabs; null if the browser lacks them, as on a page served over plain HTTP. */
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
