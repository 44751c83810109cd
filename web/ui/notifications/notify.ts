/** Store of the visible notifications, outside React so that any code can post one. */

import { SECOND } from "#contract/limits.ts";
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
  /** A notification replaces another one of its kind. */
  readonly kind?: string | undefined;
  /** Number of things that it is about. */
  readonly count?: number | undefined;
};

/** Visible notifications, the newest first. */
export const notifications = new Store<readonly NotificationEntry[]>([]);
let nextId = 1;

/** A further notification replaces the oldest. */
const MOST_SHOWN = 3;
/** Time for which an error or a warning is shown. */
const PROBLEM_MS = 8 * SECOND;

type Options = Partial<Omit<NotificationEntry, "id" | "type" | "text">>;

/**
 * Shows a notification and returns its id. By default it has a close button, closes after a while unless it is an
 * information, and replaces one with the same text if it has no action.
 */
export function notify(
  type: NotificationType,
  text: string,
  {
    closable = true,
    durationMs = type === "info" ? 0 : PROBLEM_MS,
    action,
    kind = action ? undefined : text,
    count,
  }: Options = {},
): number {
  const id = nextId++;
  const others = notifications.get().filter((other) => kind === undefined || other.kind !== kind);
  const entry = { id, type, text, closable, durationMs, action, kind, count };
  notifications.set([entry, ...others].slice(0, MOST_SHOWN));
  return id;
}

/** Closes the newest notification that has an action and runs it; returns `false` if none has one. */
export function runLatestAction(): boolean {
  const entry = notifications.get().find(({ action }) => action !== undefined);
  if (!entry) return false;
  closeNotification(entry.id);
  entry.action?.run();
  return true;
}

export function closeNotification(id: number): void {
  notifications.set(notifications.get().filter((entry) => entry.id !== id));
}

/** Closes the notification of a kind, if it is shown. */
export function closeNotificationOf(kind: string): void {
  notifications.set(notifications.get().filter((entry) => entry.kind !== kind));
}

/** Removes all notifications, which belong to a session that has ended. */
export function clearNotifications(): void {
  if (notifications.get().length > 0) notifications.set([]);
}

export const currentNotifications = notifications.get;
