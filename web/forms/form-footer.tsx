import type { ReactNode } from "react";
import { Button, type ButtonVariant } from "../ui/components/button.tsx";
import { cx } from "../ui/components/cx.ts";
import { tooltip } from "../ui/tooltips/tooltip.ts";
import { FormStatus } from "./form-status.tsx";
import type { CheckedForm } from "./use-checked-form.ts";

type FormFooterProps = {
  form: Pick<CheckedForm<never>, "status" | "spoken" | "isSending">;
  submit: string;
  submitting: string;
  variant?: ButtonVariant;
  /** Reason why submitting has no effect now. The button stays focusable; pressing it shows the form's own answer. */
  idle?: string | undefined;
  /** Controls beside the button, such as Cancel. */
  children?: ReactNode;
};

/** Submit button of a form, with the result of the last submission before it. */
export function FormFooter({ form, submit, submitting, variant = "primary", idle, children }: FormFooterProps) {
  return (
    <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-3">
      <div className={cx("min-w-0 flex-1", form.status !== null && "basis-48")}>
        <FormStatus text={form.status} />
        <p aria-live="polite" className="sr-only">
          {form.spoken}
        </p>
      </div>
      <div className="ms-auto flex flex-wrap justify-end gap-3">
        {children}
        <Button
          type="submit"
          variant={variant}
          aria-description={idle}
          {...tooltip(idle)}
          busy={form.isSending}
          aria-disabled={form.isSending || idle !== undefined || undefined}
        >
          {form.isSending ? submitting : submit}
        </Button>
      </div>
    </div>
  );
}
