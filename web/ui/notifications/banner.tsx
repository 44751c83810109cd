import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { CloseButton } from "../components/close-button.tsx";
import { cx } from "../components/cx.ts";

export type Tone = "error" | "warning" | "info" | "success";

export const bannerTones = {
  error: { Icon: CircleAlert, icon: "text-danger", surface: "border-danger/35 bg-danger-soft" },
  warning: { Icon: TriangleAlert, icon: "text-warning", surface: "border-warning/35 bg-warning-soft" },
  info: { Icon: Info, icon: "text-accent", surface: "border-accent/35 bg-accent-soft" },
  success: { Icon: CircleCheck, icon: "text-success", surface: "border-success/35 bg-success-soft" },
};

export type BannerProps = {
  tone?: Tone;
  children: ReactNode;
  /** One control that responds to the message, such as a small Button. */
  action?: ReactNode;
  /** Called by the close button, which is shown only with this callback. */
  onDismiss?: (() => void) | undefined;
  className?: string;
};

/** Inline message. Screen readers announce errors at once, other tones politely. */
export function Banner({ tone = "error", children, action, onDismiss, className }: BannerProps) {
  const { Icon, icon, surface } = bannerTones[tone];
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
      {/* An action with a long label is a line of its own on a narrow screen. */}
      <div className="flex min-w-0 flex-1 flex-wrap items-start gap-x-2.5 gap-y-3">
        <div className="min-w-0 flex-[1_1_11rem] leading-text [overflow-wrap:anywhere]">{children}</div>
        {action}
      </div>
      {onDismiss && <CloseButton className="-me-1.5 -my-1.5" onClick={onDismiss} />}
    </div>
  );
}
