/** The notifications on the screen: a store outside React, so that any code may post one. */

import { Store } from "../../store/store.ts";
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

/** Notifications on the screen, the newest last. */
export const notifications = new Store<readonly NotificationEntry[]>([]);
let nextId = 1;

type Options = { closable?: boolean; durationMs?: number; action?: NotificationAction };

/** Shows a notification; by default it can be closed and stays. Returns its id. */
export function notify(
  type: NotificationType,
  text: string,
  { closable = true, durationMs = 0, action }: Options = {},
): number {
  const id = nextId++;
  notifications.set([...notifications.get(), { id, type, text, closable, durationMs, action }]);
  return id;
}

/** Does what the newest notification offers, which then closes; `false` where none offers anything. */
export function runLatestAction(): boolean {
  const entry = notifications.get().findLast(({ action }) => action !== undefined);
  if (!entry) return false;
  closeNotification(entry.id);
  entry.action?.run();
  return true;
}

export function closeNotification(id: number): void {
  notifications.set(notifications.get().filter((entry) => entry.id !== id));
}

/** Takes all of them away: what they tell is no longer for whoever is here. */
export function clearNotifications(): void {
  if (notifications.get().length > 0) notifications.set([]);
}

export const currentNotifications = notifications.get;
