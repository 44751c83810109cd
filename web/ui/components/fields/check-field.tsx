import { type ComponentProps, useId } from "react";

type CheckFieldProps = Omit<ComponentProps<"input">, "type" | "className"> & {
  label: string;
  hint?: string | undefined;
};

/** Checkbox of a form, with its label and an optional hint below. */
export function CheckField({ label, hint, ...input }: CheckFieldProps) {
  const id = useId();
  return (
    <div>
      <label className="flex min-h-9 cursor-pointer items-center gap-3 text-sm pointer-coarse:min-h-11">
        <input
          type="checkbox"
          className="size-4.5 shrink-0 accent-accent"
          aria-describedby={hint === undefined ? undefined : id}
          {...input}
        />
        <span className="min-w-0 [overflow-wrap:anywhere]">{label}</span>
      </label>
      {hint !== undefined && (
        <p id={id} className="ps-7.5 text-muted text-xs">
          {hint}
        </p>
      )}
    </div>
  );
}
