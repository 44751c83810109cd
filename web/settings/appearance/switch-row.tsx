import { useId } from "react";
import { Switch } from "../../ui/components/switch.tsx";

type SwitchRowProps = { title: string; text: string; isOn: boolean; onChange: (isOn: boolean) => void };

/** A line of a card with something that is on or off; all of it can be pressed. */
export function SwitchRow({ title, text, isOn, onChange }: SwitchRowProps) {
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
      </div>
      <Switch id={id} aria-describedby={`${id}-text`} checked={isOn} onChange={onChange} />
    </div>
  );
}
