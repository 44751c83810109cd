import { cx } from "../../ui/components/cx.ts";

const RADIUS = 10;
const LENGTH = 2 * Math.PI * RADIUS;

/**
 * Ring that fills with the progress of an upload, 0 to 1; without it, a part of the ring rotates. Hidden from assistive
 * technology: the file's state is text.
 */
export function ProgressRing({ progress, className }: { progress?: number | undefined; className?: string }) {
  const isKnown = progress !== undefined;
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      fill="none"
      strokeWidth={2.5}
      className={cx("size-6 shrink-0", !isKnown && "animate-spin", className)}
    >
      <circle cx="12" cy="12" r={RADIUS} stroke="currentColor" strokeOpacity="0.22" />
      <circle
        cx="12"
        cy="12"
        r={RADIUS}
        stroke="currentColor"
        strokeLinecap="round"
        strokeDasharray={`${Math.max(0.04, isKnown ? progress : 0.25) * LENGTH} ${LENGTH}`}
        transform="rotate(-90 12 12)"
      />
    </svg>
  );
}
