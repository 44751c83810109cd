import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { cx } from "../cx.ts";

/** Native `select` in the style of the other fields. Its accessible name comes from its label or `aria-label`. */
export function Select({ className, ...rest }: ComponentProps<"select">) {
  return (
    <div className={cx("relative", className)}>
      <select
        className="h-11 w-full cursor-pointer appearance-none truncate rounded-control border border-outline bg-raised ps-3 pe-10 text-base transition-colors hover:border-muted focus-visible:border-accent focus-visible:outline-offset-0"
        {...rest}
      />
      <ChevronDown aria-hidden="true" className="pointer-events-none absolute end-3 top-3.5 size-4 text-muted" />
    </div>
  );
}
