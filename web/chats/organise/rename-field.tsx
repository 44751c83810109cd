import { useEffect, useRef } from "react";
import { oneLine } from "#contract/text/name-text.ts";
import { isComposing } from "../../ui/keys/press.ts";

type RenameFieldProps = {
  /** Accessible name. */
  label: string;
  name: string;
  maxLength: number;
  /** Receives the new name, or null if it is unchanged. `isByKey`: the focus must return to the line. */
  onEnd: (name: string | null, isByKey: boolean) => void;
};

/** Inline field for a name: Enter and blur save the name, Escape cancels. */
export function RenameField({ label, name, maxLength, onEnd }: RenameFieldProps) {
  const isOver = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const end = (written: string | null, isByKey: boolean) => {
    // Removing the field fires another blur event.
    if (isOver.current) return;
    isOver.current = true;
    const text = written === null ? "" : oneLine(written);
    onEnd(text === "" || text === name ? null : text, isByKey);
  };
  return (
    <input
      ref={field}
      dir="auto"
      aria-label={label}
      defaultValue={name}
      maxLength={maxLength}
      autoComplete="off"
      spellCheck={false}
      className="min-h-9 w-full min-w-0 rounded-control border border-accent bg-raised px-[15px] text-base outline-none sm:text-sm pointer-coarse:min-h-11"
      onBlur={(event) => end(event.currentTarget.value, false)}
      onKeyDown={(event) => {
        if (isComposing(event.nativeEvent)) return;
        if (event.key === "Enter") end(event.currentTarget.value, true);
        else if (event.key === "Escape") end(null, true);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}
