import { Tooltip as Radix } from "radix-ui";
import type { ReactElement, ReactNode } from "react";

export type TooltipProps = {
  label: ReactNode;
  side?: "top" | "bottom" | "left" | "right";
  /** One element that takes a ref and event handlers, such as an IconButton. */
  children: ReactElement;
};

/** Stands once around everything that has tooltips. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={400} skipDelayDuration={200}>
      {children}
    </Radix.Provider>
  );
}

/** Words beside what is pointed at or focused. Needs a {@link TooltipProvider} above it. */
export function Tooltip({ label, side = "top", children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-menu animate-fade rounded-control bg-ink px-2.5 py-1.5 text-page text-xs"
        >
          {label}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
