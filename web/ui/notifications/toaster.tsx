import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../store/use-store.ts";
import { isOverlaid } from "../dialogs/is-overlaid.ts";
import { Notification } from "./notification.tsx";
import { closeNotification, type NotificationEntry, notifications } from "./notify.ts";

/** Where notifications appear; stands once, at the end of the application. */
export function Toaster() {
  const { t } = useTranslation("app");
  const entries = useStore(notifications);
  const region = useRef<HTMLDivElement>(null);
  const goBack = useWayThere(region);
  return (
    // It is there before what it tells of, and live: so a dialog that hides the page from readers leaves it be.
    <section
      ref={region}
      data-toaster
      aria-label={t("notifications")}
      aria-keyshortcuts="F6"
      aria-live="polite"
      className="pointer-events-none fixed start-[max(1rem,var(--safe-start))] end-[max(1rem,var(--safe-end))] top-[max(1rem,env(safe-area-inset-top))] z-50 flex flex-col items-end gap-2 sm:start-auto sm:w-96"
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
  // It goes, by itself or by one of its buttons: the focus must not go with it.
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
 * F6 leads to the newest notification that can be used, from wherever the focus is: it stands at the end of the page, and
 * may not stand long. F6 or Escape lead back. A dialog or menu is not left by it. @returns the way back
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
        const newest = [...(region.current?.children ?? [])].findLast((entry) => entry.querySelector("button"));
        if (!newest) return;
        newest.querySelector("button")?.focus();
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
