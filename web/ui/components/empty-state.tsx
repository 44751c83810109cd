import type { ReactNode } from "react";
import { ANSWER_LEAF, QUESTION_LEAF } from "../logo-outlines.ts";
import { cx } from "./cx.ts";

type EmptyStateProps = {
  /** `unanswered`: there is a question without an answer, such as a search without results. */
  drawing?: "nothing" | "unanswered";
  title?: ReactNode;
  text?: ReactNode;
  className?: string;
};

/** Shown in place of a list without entries: the two leaves of the logo, dashed where something is missing. */
export function EmptyState({ drawing = "nothing", title, text, className }: EmptyStateProps) {
  return (
    <div className={cx("flex flex-col items-center text-center text-sm", className)}>
      <EmptyMark drawing={drawing} className="mb-3 size-10" />
      {title && <p className="text-pretty font-medium [overflow-wrap:anywhere]">{title}</p>}
      {text && <p className="mt-1 text-pretty text-muted leading-text">{text}</p>}
    </div>
  );
}

/** The logo as outlines: dashed leaves stand for what does not exist. */
export function EmptyMark({ drawing, className }: { drawing: "nothing" | "unanswered"; className: string }) {
  const isAsked = drawing === "unanswered";
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      fill="none"
      strokeWidth="1"
      strokeDasharray="1.6 1.4"
      className={cx("shrink-0 rtl:-scale-x-100", className)}
    >
      <path d={QUESTION_LEAF} className={isAsked ? "fill-accent" : "stroke-accent"} />
      <path d={ANSWER_LEAF} className="stroke-muted" />
    </svg>
  );
}
