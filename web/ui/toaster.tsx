import { useCallback, useSyncExternalStore } from "react";
import { Notification } from "./notification.tsx";
import {
  closeNotification,
  currentNotifications,
  type NotificationEntry,
  subscribeNotifications,
} from "./notifications.ts";

/** Where notifications appear; stands once, at the end of the application. */
export function Toaster() {
  const entries = useSyncExternalStore(subscribeNotifications, currentNotifications);
  return (
    // It is there before what it tells of, and live: so a dialog that hides the page from readers leaves it be.
    <div
      data-toaster
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 top-4 z-50 flex flex-col items-end gap-2 sm:start-auto sm:w-96"
    >
      {entries.map((entry) => (
        <ToasterEntry key={entry.id} entry={entry} />
      ))}
    </div>
  );
}

function ToasterEntry({ entry }: { entry: NotificationEntry }) {
  const close = useCallback(() => closeNotification(entry.id), [entry.id]);
  return (
    <Notification
      type={entry.type}
      closable={entry.closable}
      durationMs={entry.durationMs}
      action={entry.action}
      onClose={close}
    >
      {entry.text}
    </Notification>
  );
}
