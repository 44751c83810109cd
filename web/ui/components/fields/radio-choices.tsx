import { useId } from "react";

type RadioChoicesProps<Value> = {
  label: string;
  choices: readonly { value: Value; title: string; text: string }[];
  value: Value;
  isDisabled?: boolean;
  onChange: (value: Value) => void;
};

/** Group of radio buttons, each with a title and a text. */
export function RadioChoices<Value>({ label, choices, value, isDisabled = false, onChange }: RadioChoicesProps<Value>) {
  const name = useId();
  return (
    <fieldset disabled={isDisabled} className="min-w-0 disabled:opacity-60">
      <legend className="mb-1.5 font-medium text-sm">{label}</legend>
      <div className="divide-y divide-hairline rounded-control border border-outline">
        {choices.map((choice) => (
          <label key={choice.title} className="flex min-h-11 cursor-pointer items-start gap-3 px-3 py-2.5">
            <input
              type="radio"
              name={name}
              checked={value === choice.value}
              onChange={() => onChange(choice.value)}
              className="mt-0.5 size-4 shrink-0"
            />
            <span className="min-w-0 text-sm">
              <span className="block font-medium">{choice.title}</span>
              <span className="mt-0.5 block text-muted leading-text">{choice.text}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
