import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../store/use-store.ts";
import { isOverlaid } from "../dialogs/is-overlaid.ts";
import { Notification } from "./notification.tsx";
import { closeNotification, type NotificationEntry, notifications } from "./notify.ts";

/**
 * Renders the notifications below the header, the newest on top; mounted once, at the end of the application. Dialogs
 * are in front of them, and they are in front of the drawer and of viewers that fill the window.
 */
export function Toaster() {
  const { t } = useTranslation("app");
  const entries = useStore(notifications);
  const region = useRef<HTMLDivElement>(null);
  const goBack = useWayThere(region);
  return (
    <section
      ref={region}
      aria-label={t("notifications")}
      aria-keyshortcuts="F6"
      // Mounted before any notification: a modal dialog hides the page, but not live regions. The notifications have no
      // role of their own, by which some screen readers would announce them a second time.
      aria-live={entries[0]?.type === "error" ? "assertive" : "polite"}
      className="toaster"
    >
      {entries.map((entry) => (
        <ToasterEntry key={entry.id} entry={entry} goBack={goBack} />
      ))}
    </section>
  );
}

type ToasterEntryProps = { entry: NotificationEntry; goBack: () => void };

function ToasterEntry({ entry, goBack }: ToasterEntryProps) {
  const close = useCallback(() => closeNotification(entry.id), [entry.id]);
  const notification = useRef<HTMLDivElement>(null);
  // Removing the notification must not lose the focus, whether a timeout or one of its buttons closes it.
  useLayoutEffect(() => {
    const leaving = notification.current;
    return () => {
      if (leaving?.contains(document.activeElement)) goBack();
    };
  }, [goBack]);
  return (
    <Notification
      ref={notification}
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

/**
 * Moves the focus with F6 to the newest notification that has a button, because it is at the end of the page and may
 * close soon. F6 or Escape moves it back. F6 does not leave a dialog or menu.
 * @returns a function that moves the focus back
 */
function useWayThere(region: RefObject<HTMLElement | null>): () => void {
  const origin = useRef<HTMLElement>(null);
  const goBack = useCallback(() => origin.current?.focus(), []);
  useEffect(() => {
    const isInside = (target: EventTarget | null) => target instanceof Node && region.current?.contains(target);
    const onFocusIn = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && !isInside(target)) origin.current = target;
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      if (isInside(event.target) && (event.key === "F6" || event.key === "Escape")) goBack();
      else if (event.key === "F6" && !isOverlaid()) {
        const button = region.current?.querySelector("button");
        if (!button) return;
        button.focus();
      } else return;
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener("focusin", onFocusIn);
    document.addEventListener("keydown", onKeyDown, true);
    return () => {
      document.removeEventListener("focusin", onFocusIn);
      document.removeEventListener("keydown", onKeyDown, true);
    };
  }, [region, goBack]);
  return goBack;
}
