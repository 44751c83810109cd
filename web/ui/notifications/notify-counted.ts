import { SECOND } from "#contract/limits.ts";
import type { NotificationAction } from "./notification.tsx";
import { currentNotifications, notify } from "./notify.ts";

/** Time for which the undo button is shown. */
export const UNDO_MS = 10 * SECOND;

type Counted = { kind: string; count: number; word: (count: number) => string; undo: NotificationAction };

/**
 * Shows a notification of an action that can be undone. One of the same kind that is still shown becomes part of it:
 * `word` words it for the sum of both, and Undo undoes both, the newer action first.
 * @param text words it alone
 */
export function notifyCounted(text: string, { kind, count, word, undo }: Counted): void {
  const before = currentNotifications().find((entry) => entry.kind === kind);
  const sum = count + (before?.count ?? 0);
  const run = () => {
    undo.run();
    before?.action?.run();
  };
  const action = { ...undo, run };
  notify("info", before ? word(sum) : text, { durationMs: UNDO_MS, action, kind, count: sum });
}
