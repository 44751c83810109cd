/** Store of the visible notifications, outside React so that any code can post one. */

import { Store } from "../../store/store.ts";
import type { NotificationAction, NotificationType } from "./notification.tsx";

export type NotificationEntry = {
  readonly id: number;
  readonly type: NotificationType;
  /** Translated text. */
  readonly text: string;
  readonly closable: boolean;
  /** 0: never closes on its own. */
  readonly durationMs: number;
  readonly action?: NotificationAction | undefined;
};

/** Visible notifications, the newest last. */
export const notifications = new Store<readonly NotificationEntry[]>([]);
let nextId = 1;

type Options = { closable?: boolean; durationMs?: number; action?: NotificationAction };

/** Shows a notification and returns its id. By default it has a close button and no timeout. */
export function notify(
  type: NotificationType,
  text: string,
  { closable = true, durationMs = 0, action }: Options = {},
): number {
  const id = nextId++;
  notifications.set([...notifications.get(), { id, type, text, closable, durationMs, action }]);
  return id;
}

/** Closes the newest notification that has an action and runs it; returns `false` if none has one. */
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

/** Removes all notifications, which belong to a session that has ended. */
export function clearNotifications(): void {
  if (notifications.get().length > 0) notifications.set([]);
}

export const currentNotifications = notifications.get;
