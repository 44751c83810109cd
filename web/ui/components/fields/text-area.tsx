import { CircleAlert } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "../cx.ts";

export type TextAreaProps = Omit<ComponentProps<"textarea">, "id" | "children"> & {
  label: string;
  /** Shows the label to assistive technology only: the visible heading has the same text. */
  isLabelHidden?: boolean;
  /** Sentence under the field, which is marked invalid while there is one. */
  error?: string | undefined;
  /** Maximum number of characters: shown with the count under the field, but not enforced. */
  limit: number;
  value: string;
  /** Elements beside the count. */
  children?: ReactNode;
};

/** Multi-line text field with a character count below. */
export function TextArea({ label, isLabelHidden = false, error, limit, className, children, ...area }: TextAreaProps) {
  const { i18n } = useTranslation();
  const numbers = new Intl.NumberFormat(i18n.language);
  const id = useId();
  const noteId = `${id}-note`;
  const isTooLong = area.value.length > limit;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className={isLabelHidden ? "sr-only" : "font-medium text-sm"}>
        {label}
      </label>
      <textarea
        id={id}
        dir="auto"
        aria-invalid={error ? true : undefined}
        aria-describedby={noteId}
        className={cx(
          "block w-full resize-y rounded-control border bg-raised px-3 py-2.5 text-base leading-text transition-colors",
          "placeholder:text-muted focus-visible:outline-offset-0",
          error ? "border-danger" : "border-outline hover:border-muted focus-visible:border-accent",
          className,
        )}
        {...area}
      />
      <div className="flex min-h-6 items-start justify-between gap-4 text-xs">
        <div className="min-w-0">
          {error && (
            <p id={noteId} className="flex animate-fade items-start gap-1.5 text-danger">
              <CircleAlert aria-hidden="true" className="mt-px size-3.5 shrink-0" />
              {error}
            </p>
          )}
          {children}
        </div>
        <p
          {...(error ? {} : { id: noteId })}
          className={cx("ms-auto shrink-0 text-xs tabular-nums leading-6", isTooLong ? "text-danger" : "text-muted")}
        >
          {`${numbers.format(area.value.length)} / ${numbers.format(limit)}`}
        </p>
      </div>
    </div>
  );
}
