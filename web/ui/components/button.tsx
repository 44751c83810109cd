import type { ComponentProps } from "react";
import { cx } from "./cx.ts";
import { Spinner } from "./spinner.tsx";

export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger" | "dangerous";

export type ButtonProps = Omit<ComponentProps<"button">, "title"> & {
  /**
   * `primary`: the one next step; `quiet`: no surface until hovered; `danger`: carries out an action that cannot be
   * undone; `dangerous`: leads to such an action.
   */
  variant?: ButtonVariant;
  size?: "small" | "medium" | "large";
  /** Shows a spinner before the label, which stays readable. The caller decides whether the button is also disabled. */
  busy?: boolean;
};

const variants: Record<ButtonVariant, string> = {
  primary: "bg-accent text-on-accent enabled:hover:bg-accent-strong enabled:active:bg-accent-strong",
  secondary: "border border-outline bg-raised text-ink enabled:hover:bg-hover enabled:active:bg-pressed",
  quiet: "text-ink enabled:hover:bg-hover enabled:active:bg-pressed",
  dangerous: "border border-danger/60 bg-raised text-danger enabled:hover:bg-danger-soft enabled:active:bg-danger-soft",
  danger: "bg-danger text-on-danger enabled:hover:bg-danger-strong enabled:active:bg-danger-strong",
};

const sizes = {
  small: "min-h-8 gap-1.5 px-3 text-sm pointer-coarse:min-h-11",
  medium: "min-h-10 gap-2 px-4 text-sm pointer-coarse:min-h-11",
  large: "min-h-11 gap-2 px-5 text-base",
};

export function Button({
  variant = "primary",
  size = "medium",
  busy = false,
  className,
  children,
  ...rest
}: ButtonProps) {
  // Styled as disabled, but still focusable. The caller must ignore its clicks.
  const isHeld = rest["aria-disabled"] === true && !busy;
  const dulled = variant === "primary" ? "bg-pressed text-muted" : cx(variants[variant], "opacity-50");
  return (
    <button
      type="button"
      className={cx(
        "inline-flex select-none items-center justify-center rounded-control py-1 font-medium transition-colors",
        "forced-colors:border",
        isHeld ? dulled : variants[variant],
        !busy && (variant === "primary" ? "disabled:bg-pressed disabled:text-muted" : "disabled:opacity-50"),
        sizes[size],
        className,
      )}
      {...rest}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}
