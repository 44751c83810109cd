import type { ComponentProps, ReactNode } from "react";
import { type TooltipOptions, tooltip } from "../tooltips/tooltip.ts";
import { cx } from "./cx.ts";

export type IconButtonProps = Omit<ComponentProps<"button">, "children" | "aria-label" | "title"> & {
  /** Accessible name: what the button does. */
  label: string;
  icon: ReactNode;
  /** Text of the tooltip, if not the label. */
  hint?: string | undefined;
  shortcut?: TooltipOptions["shortcut"];
  hasHintBeside?: boolean;
  variant?: "quiet" | "primary";
  size?: "small" | "medium";
  round?: boolean;
};

const variants = {
  quiet: "text-muted enabled:hover:bg-hover enabled:hover:text-ink enabled:active:bg-pressed",
  primary: "bg-accent text-on-accent enabled:hover:bg-accent-strong",
};

const sizes = { small: "size-8 pointer-coarse:size-11", medium: "size-10 pointer-coarse:size-11" };

export function IconButton({
  label,
  icon,
  hint = label,
  shortcut,
  hasHintBeside,
  variant = "quiet",
  size = "medium",
  round = false,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      className={cx(
        "inline-flex shrink-0 items-center justify-center transition-colors disabled:opacity-45 [&_svg]:size-[1.125rem]",
        round ? "rounded-full" : "rounded-control",
        variants[variant],
        sizes[size],
        className,
      )}
      {...tooltip(hint, { shortcut, isBeside: hasHintBeside })}
      {...rest}
    >
      {icon}
    </button>
  );
}
