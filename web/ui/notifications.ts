/** The notifications on the screen: a store outside React, so that any code may post one. */

import type { NotificationType } from "./notification.tsx";

export type NotificationEntry = {
  readonly id: number;
  readonly type: NotificationType;
  /** Already worded. */
  readonly text: string;
  readonly closable: boolean;
  /** 0 stays. */
  readonly durationMs: number;
};

let entries: readonly NotificationEntry[] = [];
let nextId = 1;
const subscribers = new Set<() => void>();

function change(next: readonly NotificationEntry[]): void {
  entries = next;
  for (const notifySubscriber of [...subscribers]) notifySubscriber();
}

type Options = { closable?: boolean; durationMs?: number };

/** Shows a notification; by default it can be closed and stays. Returns its id. */
export function notify(
  type: NotificationType,
  text: string,
  { closable = true, durationMs = 0 }: Options = {},
): number {
  const id = nextId++;
  change([...entries, { id, type, text, closable, durationMs }]);
  return id;
}

export function closeNotification(id: number): void {
  change(entries.filter((entry) => entry.id !== id));
}

/** Takes all of them away: what they tell is no longer for whoever is here. */
export function clearNotifications(): void {
  if (entries.length > 0) change([]);
}

export function subscribeNotifications(listener: () => void): () => void {
  subscribers.add(listener);
  return () => subscribers.delete(listener);
}

export function currentNotifications(): readonly NotificationEntry[] {
  return entries;
}
