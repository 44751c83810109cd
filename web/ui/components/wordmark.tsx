import { cx } from "./cx.ts";

/** Outlines of the logo's leaves in a box of 24 × 24: a question and its answer. */
export const QUESTION_LEAF = "M6.6 2h4.8a4.6 4.6 0 0 1 0 9.2H2V6.6A4.6 4.6 0 0 1 6.6 2Z";
export const ANSWER_LEAF = "M12.6 12.8h4.8A4.6 4.6 0 0 1 22 17.4V22h-9.4a4.6 4.6 0 0 1 0-9.2Z";

/** Logo without the name: two leaves that stand for a question and its answer. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" className={cx("size-6 shrink-0", className)}>
      <path d={QUESTION_LEAF} className="fill-accent" />
      <path d={ANSWER_LEAF} className="fill-ink" />
    </svg>
  );
}

/** Logo with the name of the product, which is cut off with an ellipsis if there is no room for it. */
export function Wordmark({ name, className }: { name: string; className?: string }) {
  return (
    <span
      className={cx("inline-flex max-w-full items-center gap-2 font-semibold text-lg tracking-[-0.015em]", className)}
    >
      <Mark />
      <bdi className="truncate">{name}</bdi>
    </span>
  );
}
