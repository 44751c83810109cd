import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "../components/cx.ts";
import { IconButton } from "../components/icon-button.tsx";

export type Tone = "error" | "warning" | "info" | "success";

export const tones = {
  error: { Icon: CircleAlert, icon: "text-danger", surface: "border-danger/35 bg-danger-soft" },
  warning: { Icon: TriangleAlert, icon: "text-warning", surface: "border-warning/35 bg-warning-soft" },
  info: { Icon: Info, icon: "text-accent", surface: "border-accent/35 bg-accent-soft" },
  success: { Icon: CircleCheck, icon: "text-success", surface: "border-success/35 bg-success-soft" },
};

export type BannerProps = {
  tone?: Tone;
  children: ReactNode;
  /** One thing to do about it, e.g. a small Button. */
  action?: ReactNode;
  /** Gives the banner a close button. */
  onDismiss?: (() => void) | undefined;
  className?: string;
};

/** A sentence about what happened, in place. Errors are read out at once, the others when there is a pause. */
export function Banner({ tone = "error", children, action, onDismiss, className }: BannerProps) {
  const { t } = useTranslation("app");
  const { Icon, icon, surface } = tones[tone];
  return (
    <div
      role={tone === "error" ? "alert" : "status"}
      className={cx(
        "flex animate-appear items-start gap-2.5 rounded-control border px-3 py-2.5 text-sm",
        surface,
        className,
      )}
    >
      <Icon aria-hidden="true" className={cx("mt-0.5 size-4 shrink-0", icon)} />
      <div className="min-w-0 flex-1 leading-text">{children}</div>
      {action}
      {onDismiss && (
        <IconButton
          label={t("close")}
          icon={<X aria-hidden="true" />}
          size="small"
          className="-me-1.5 -my-1.5"
          onClick={onDismiss}
        />
      )}
    </div>
  );
}
