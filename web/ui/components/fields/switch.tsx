import type { ComponentProps } from "react";
import { cx } from "../cx.ts";

type SwitchProps = Omit<ComponentProps<"input">, "type" | "role" | "onChange" | "checked" | "title"> & {
  checked: boolean;
  onChange: (isOn: boolean) => void;
};

/** Switch for a setting that takes effect at once. Its accessible name comes from its label or `aria-label`. */
export function Switch({ onChange, checked, className, ...rest }: SwitchProps) {
  return (
    <span className={cx("relative inline-flex h-6 w-10 shrink-0 items-center", className)}>
      <input
        type="checkbox"
        role="switch"
        checked={checked}
        aria-checked={checked}
        className={cx(
          // The pseudo-element enlarges the touch target.
          "peer absolute inset-0 m-0 size-full cursor-pointer appearance-none rounded-full border border-outline bg-raised",
          "transition-colors before:absolute before:-inset-2.5 checked:border-accent checked:bg-accent",
          "disabled:cursor-default disabled:opacity-45 hover:enabled:border-muted hover:enabled:checked:border-accent",
          "forced-colors:checked:bg-[Highlight] forced-colors:forced-color-adjust-none",
        )}
        onChange={(event) => onChange(event.target.checked)}
        {...rest}
      />
      <span
        aria-hidden="true"
        className={cx(
          "pointer-events-none relative ms-1 size-4 rounded-full bg-muted transition-transform",
          "peer-checked:translate-x-4 peer-checked:bg-on-accent peer-disabled:opacity-60 rtl:peer-checked:-translate-x-4",
          "forced-colors:bg-[ButtonText] forced-colors:forced-color-adjust-none forced-colors:peer-checked:bg-[HighlightText]",
        )}
      />
    </span>
  );
}
