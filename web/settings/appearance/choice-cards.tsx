import { type ReactNode, useId } from "react";
import { cx } from "../../ui/components/cx.ts";

type ChoiceCard<Value> = { value: Value; label: string; text?: string; picture?: ReactNode };

type ChoiceCardsProps<Value> = {
  legend: string;
  isLegendHidden?: boolean;
  value: Value;
  choices: readonly ChoiceCard<Value>[];
  /** Class with the number of columns. */
  columns: string;
  onChoose: (value: Value) => void;
};

/** Radio group of cards, each with a picture of its effect; a choice takes effect at once. */
export function ChoiceCards<Value extends string>(props: ChoiceCardsProps<Value>) {
  const { legend, isLegendHidden = false, value, choices, columns, onChoose } = props;
  const name = useId();
  return (
    <fieldset className="min-w-0">
      <legend className={isLegendHidden ? "sr-only" : "mb-2.5 font-medium text-sm"}>{legend}</legend>
      <div className={cx("grid gap-2.5", columns)}>
        {choices.map(({ value: each, label, text, picture }) => (
          <label
            key={each}
            className={cx(
              "flex min-w-0 cursor-pointer flex-col gap-2.5 rounded-control border border-hairline p-2.5 transition-colors",
              "hover:border-muted has-checked:border-accent has-checked:shadow-[inset_0_0_0_1px_var(--accent)]",
              "has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2",
              "forced-colors:has-checked:border-[Highlight] forced-colors:has-checked:border-2",
            )}
          >
            {picture}
            <span className="flex items-start gap-2 pb-0.5">
              <input
                type="radio"
                name={name}
                value={each}
                checked={each === value}
                className="mt-0.5 size-4 shrink-0 accent-accent focus-visible:outline-none"
                onChange={() => onChoose(each)}
              />
              <span className="min-w-0 text-sm">
                <span className="block">{label}</span>
                {text && <span className="mt-0.5 block text-muted leading-text">{text}</span>}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
