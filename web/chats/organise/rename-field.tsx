import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { oneLine } from "#contract/text/name-text.ts";
import { isComposing } from "../../ui/keys/press.ts";

type RenameFieldProps = {
  /** Whose name it is, for those who do not see it. */
  label: string;
  name: string;
  maxLength: number;
  /** The name that was written, or null where it stays as it was. `isByKey`: the focus is to stay at the line. */
  onEnd: (name: string | null, isByKey: boolean) => void;
};

/** A name in its line: Enter and leaving it save what was written, Escape does not. */
export function RenameField({ label, name, maxLength, onEnd }: RenameFieldProps) {
  const { t } = useTranslation("organise");
  const isOver = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const end = (written: string | null, isByKey: boolean) => {
    // Its removal takes the focus from it once more.
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
      title={t("name.save")}
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
