import { useId } from "react";
import { Switch } from "../../ui/components/fields/switch.tsx";

type SwitchRowProps = {
  title: string;
  text: string;
  /** A note about the last change, which screen readers announce. */
  status?: string | undefined;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
};

/** Row of a card with a switch; the whole row can be clicked. */
export function SwitchRow({ title, text, status, isOn, onChange }: SwitchRowProps) {
  const id = useId();
  return (
    <div className="relative flex items-center justify-between gap-4 px-4 py-4 sm:px-5">
      <div className="min-w-0">
        <label htmlFor={id} className="cursor-pointer font-medium text-sm after:absolute after:inset-0">
          {title}
        </label>
        <p id={`${id}-text`} className="mt-0.5 text-muted text-sm leading-text">
          {text}
        </p>
        {status !== undefined && (
          <p role="status" className="mt-2 text-sm leading-text empty:hidden">
            {status}
          </p>
        )}
      </div>
      <Switch id={id} aria-describedby={`${id}-text`} checked={isOn} onChange={onChange} />
    </div>
  );
}
