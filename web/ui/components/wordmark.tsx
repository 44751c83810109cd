import { ANSWER_LEAF, QUESTION_LEAF } from "../logo-outlines.ts";
import { cx } from "./cx.ts";

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
