import type { ReactNode } from "react";
import { cx } from "../ui/components/cx.ts";

/** Entry of a `dl`: a small name above its value. */
export function DescriptionItem({
  name,
  className,
  children,
}: {
  name: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <div className={cx("min-w-0 text-sm", className)}>
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="mt-0.5 break-words">{children}</dd>
    </div>
  );
}
