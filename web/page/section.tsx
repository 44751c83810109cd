import { type ReactNode, type Ref, useId } from "react";
import { cx } from "../ui/components/cx.ts";

type SectionProps = {
  title: string;
  text?: ReactNode;
  tone?: "plain" | "danger";
  /** Ref of the heading, which takes the focus when a focused button is removed. */
  headingRef?: Ref<HTMLHeadingElement>;
  /** Control for the whole section, at the heading's end. */
  action?: ReactNode;
  children: ReactNode;
};

/** Section of a settings page: a heading, a text, and a card with the controls. */
export function Section({ title, text, tone = "plain", headingRef, action, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-10">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <h2
            ref={headingRef}
            id={id}
            tabIndex={-1}
            className={cx("font-semibold text-base", tone === "danger" && "text-danger")}
          >
            {title}
          </h2>
          {text && <p className="mt-1 text-pretty text-muted text-sm leading-text">{text}</p>}
        </div>
        {action}
      </div>
      <div
        className={cx(
          "mt-4 rounded-surface border bg-raised",
          tone === "danger" ? "border-danger/35" : "border-hairline",
        )}
      >
        {children}
      </div>
    </section>
  );
}

type RowProps = {
  title: ReactNode;
  text?: ReactNode;
  /** For long titles: on a narrow screen the controls wrap below the title. */
  isLong?: boolean;
  children?: ReactNode;
};

/** Row of a card: a title with a text, and the controls at its end. */
export function Row({ title, text, isLong = false, children }: RowProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-4 py-4 sm:px-5">
      <div className={cx("min-w-0 flex-1", isLong ? "basis-56" : "basis-36")}>
        <p className="break-words font-medium text-sm">{title}</p>
        {text && <p className="mt-0.5 break-words text-muted text-sm leading-text">{text}</p>}
      </div>
      {children}
    </div>
  );
}
