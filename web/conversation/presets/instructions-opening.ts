import { useSyncExternalStore } from "react";

let opened: string | null = null;
const subscribers = new Set<() => void>();

const subscribe = (listener: () => void) => {
  subscribers.add(listener);
  return () => subscribers.delete(listener);
};

/** Opens the dialog with the instructions of a chat; null closes it. */
export function openInstructions(chat: string | null): void {
  opened = chat;
  for (const notifySubscriber of [...subscribers]) notifySubscriber();
}

/** The chat whose instructions are open. */
export function useOpenedInstructions(): string | null {
  return useSyncExternalStore(subscribe, () => opened);
}
