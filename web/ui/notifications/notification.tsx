import { X } from "lucide-react";
import { type ReactNode, type Ref, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../components/button.tsx";
import { cx } from "../components/cx.ts";
import { IconButton } from "../components/icon-button.tsx";
import { tones } from "./banner.tsx";

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
  const { t } = useTranslation("app");
  const [isHeld, setHeld] = useState(false);
  const { Icon, icon } = tones[type];

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
      className={cx(
        "pointer-events-auto flex w-full animate-appear items-start gap-2.5 rounded-surface border border-hairline",
        "bg-raised px-4 py-3 text-sm shadow-float",
      )}
    >
      <Icon aria-hidden="true" className={cx("mt-0.5 size-4 shrink-0", icon)} />
      <div className="wrap-anywhere min-w-0 flex-1 whitespace-pre-line leading-text">{children}</div>
      {action && (
        <Button
          variant="quiet"
          size="small"
          className="-my-1.5 text-accent pointer-coarse:-my-3"
          onClick={() => {
            onClose();
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      {closable && (
        <IconButton
          label={t("close")}
          icon={<X aria-hidden="true" />}
          size="small"
          className="-me-2 -my-1.5 pointer-coarse:-my-3"
          onClick={onClose}
        />
      )}
    </div>
  );
}
