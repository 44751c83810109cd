import { cx } from "./cx.ts";
import { useDelayed } from "./use-delayed.ts";

const APPEAR_AFTER_MS = 150;

/** Placeholder for content that loads, shown only after a short delay. `className` sets its size. */
export function Skeleton({ className }: { className?: string }) {
  const shown = useDelayed(APPEAR_AFTER_MS);
  return (
    <span
      aria-hidden="true"
      className={cx("block rounded-control bg-pressed", shown ? "animate-breathe" : "invisible", className)}
    />
  );
}
