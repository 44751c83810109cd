import { type ReactNode, useEffect, useRef } from "react";
import { FailureBanner } from "../forms/failure-banner.tsx";
import type { Failure } from "../forms/use-sending.ts";

/**
 * Failure of an account form, at its end. Reserves the height of one line, so that the controls around it stay in their
 * positions. `children`: further controls in the banner.
 */
export function ReservedFailureBanner({ failure, children }: { failure: Failure | null; children?: ReactNode }) {
  const space = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (failure) space.current?.scrollIntoView({ block: "nearest" });
  }, [failure]);
  return (
    <div ref={space} className="mt-3 -mb-5 min-h-[calc(0.875rem*var(--line-text)+1.375rem)]">
      <FailureBanner failure={failure}>{children}</FailureBanner>
    </div>
  );
}
