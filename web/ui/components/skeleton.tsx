import { cx } from "./cx.ts";
import { useDelayed } from "./use-delayed.ts";

const APPEAR_AFTER_MS = 150;

/** The shape of what comes, shown only when it is not there after a moment. Size it by `className`. */
export function Skeleton({ className }: { className?: string }) {
  const shown = useDelayed(APPEAR_AFTER_MS);
  return (
    <span
      aria-hidden="true"
      className={cx("block rounded-control bg-pressed", shown ? "animate-breathe" : "invisible", className)}
    />
  );
}
