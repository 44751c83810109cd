/** The notifications on the screen: a store outside React, so that any code may post one. */

import type { NotificationAction, NotificationType } from "./notification.tsx";

export type NotificationEntry = {
  readonly id: number;
  readonly type: NotificationType;
  /** Already worded. */
  readonly text: string;
  readonly closable: boolean;
  /** 0 stays. */
  readonly durationMs: number;
  readonly action?: NotificationAction | undefined;
};

let entries: readonly NotificationEntry[] = [];
let nextId = 1;
const subscribers = new Set<() => void>();

function change(next: readonly NotificationEntry[]): void {
  entries = next;
  for (const notifySubscriber of [...subscribers]) notifySubscriber();
}

type Options = { closable?: boolean; durationMs?: number; action?: NotificationAction };

/** Shows a notification; by default it can be closed and stays. Returns its id. */
export function notify(
  type: NotificationType,
  text: string,
  { closable = true, durationMs = 0, action }: Options = {},
): number {
  const id = nextId++;
  change([...entries, { id, type, text, closable, durationMs, action }]);
  return id;
}

/** Does what the newest notification offers, which then closes; `false` where none offers anything. */
export function runLatestAction(): boolean {
  const entry = entries.findLast(({ action }) => action !== undefined);
  if (!entry) return false;
  closeNotification(entry.id);
  entry.action?.run();
  return true;
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
