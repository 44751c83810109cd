import { onReturn } from "./on-return.ts";

/** Resolves after `ms`, or as soon as the server may be reachable again; rejects with the signal's reason. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const end = (settle: () => void) => () => {
      clearTimeout(timer);
      endListening();
      signal.removeEventListener("abort", giveUp);
      settle();
    };
    const goOn = end(resolve);
    const giveUp = end(() => reject(signal.reason));
    const timer = setTimeout(goOn, ms);
    const endListening = onReturn(goOn);
    signal.addEventListener("abort", giveUp);
  });
}
