import { type ReactNode, useEffect, useRef } from "react";

/** Heading of a step, which takes the focus when the step begins: the button that led here is gone. */
export function StepHeading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h3 ref={heading} tabIndex={-1} className="break-words font-semibold text-base">
      {children}
    </h3>
  );
}
