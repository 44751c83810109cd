import { CircleAlert, TriangleAlert } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "../cx.ts";

export type FieldProps = Omit<ComponentProps<"input">, "id" | "children"> & {
  label: string;
  /** Sentence under the field, which is marked invalid while there is one. */
  error?: string | undefined;
  /**
   * Advice in the position of {@link error}; the field stays valid. Null if there is none yet: the empty live region is
   * rendered already, so that a screen reader announces later advice.
   */
  warning?: string | null | undefined;
  hint?: string | undefined;
  /** Small element inside the field's end, such as a button. */
  end?: ReactNode;
};

/** Text field with its label above and its error or hint below, linked by ARIA attributes. */
export function Field({ label, error, warning, hint, end, className, ...input }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? warning ?? hint;
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block font-medium text-sm">
        {label}
      </label>
      <div className="relative">
        <input
          id={id}
          {...(!end && { dir: "auto" })}
          aria-invalid={error ? true : undefined}
          aria-describedby={note ? noteId : undefined}
          className={cx(
            "h-11 w-full rounded-control border bg-raised px-3 text-base transition-colors placeholder:text-muted",
            "focus-visible:outline-offset-0 disabled:opacity-60 [&[readonly]]:bg-sunken",
            // The padding is on the side of the page's end, whatever direction the text has.
            end && (input.dir === "ltr" ? "pe-12 rtl:ps-12 rtl:pe-3" : "pe-12"),
            error ? "border-danger" : "border-outline hover:border-muted focus-visible:border-accent",
          )}
          {...input}
        />
        {end && <div className="absolute inset-y-0 end-0.5 flex items-center">{end}</div>}
      </div>
      <div className="min-h-(--note-space,0) text-xs *:pt-1">
        {error && (
          <p id={noteId} className="flex animate-fade items-start gap-1.5 text-danger">
            <CircleAlert aria-hidden="true" className="mt-px size-3.5 shrink-0" />
            {error}
          </p>
        )}
        {warning !== undefined && (
          <div role="status" className={error || !warning ? "sr-only" : "animate-fade"}>
            {!error && warning && (
              <p id={noteId} className="flex items-start gap-1.5 text-warning">
                <TriangleAlert aria-hidden="true" className="mt-px size-3.5 shrink-0" />
                {warning}
              </p>
            )}
          </div>
        )}
        {!error && !warning && hint && (
          <p id={noteId} className="text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
