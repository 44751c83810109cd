import { type ComponentProps, useId } from "react";
import { Select } from "./select.tsx";

type SelectFieldProps = Omit<ComponentProps<typeof Select>, "id"> & { label: string };

/** {@link Select} with its label above. */
export function SelectField({ label, className, ...select }: SelectFieldProps) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block font-medium text-sm">
        {label}
      </label>
      <Select id={id} {...select} />
    </div>
  );
}
