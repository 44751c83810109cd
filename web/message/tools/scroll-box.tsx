import type { ReactNode } from "react";
import { cx } from "../../ui/components/cx.ts";

type ScrollBoxProps = { label: string; className: string; children: ReactNode };

/** A named box of bounded height. */
export function ScrollBox({ label, className, children }: ScrollBoxProps) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
      tabIndex={0}
      dir="auto"
      className={cx("max-h-60 overflow-y-auto overscroll-contain rounded-small px-3 py-2", className)}
    >
      {children}
    </section>
  );
}
