import type { ReactNode } from "react";

/** Entry of a `dl`: a small name above its value. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0 text-sm">
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="mt-0.5 break-words tabular-nums">{children}</dd>
    </div>
  );
}
