import { type ReactNode, type Ref, useEffect, useState } from "react";
import { Button } from "../components/button.tsx";
import { CloseButton } from "../components/close-button.tsx";
import { bannerTones } from "./banner.tsx";

/** The one action of a notification, which closes after it. */
export type NotificationAction = { readonly label: string; readonly run: () => void };

export type NotificationType = "error" | "warning" | "info";

export type NotificationProps = {
  type: NotificationType;
  children: ReactNode;
  /** Shows a close button. */
  closable?: boolean;
  /** Closes after this many milliseconds, but not while hovered or focused; 0 never closes it. */
  durationMs?: number;
  action?: NotificationAction | undefined;
  onClose: () => void;
  ref?: Ref<HTMLDivElement>;
};

export function Notification({
  type,
  children,
  closable = true,
  durationMs = 0,
  action,
  onClose,
  ref,
}: NotificationProps) {
  const [isHeld, setHeld] = useState(false);
  const { Icon, icon } = bannerTones[type];

  useEffect(() => {
    if (durationMs === 0 || isHeld) return;
    const timer = setTimeout(onClose, durationMs);
    return () => clearTimeout(timer);
  }, [durationMs, isHeld, onClose]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hover and focus only pause the timeout
    <div
      ref={ref}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="notification"
    >
      <Icon aria-hidden="true" className={icon} />
      <div className="notification-text">{children}</div>
      {action && (
        <Button
          variant="quiet"
          size="small"
          className="text-accent"
          onClick={() => {
            onClose();
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      {closable && <CloseButton onClick={onClose} />}
    </div>
  );
}
