import type { ReactNode } from "react";
import { cx } from "../ui/components/cx.ts";

type OptionProps = {
  id: string;
  isActive: boolean;
  onPoint: (id: string) => void;
  onChoose: () => void;
  className?: string | undefined;
  keys?: string | undefined;
  children: ReactNode;
};

/** Option of the listbox, reached by the arrow keys. The field keeps the focus. */
export function Option({ id, isActive, onPoint, onChoose, className, keys, children }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      aria-keyshortcuts={keys}
      className={cx(
        "flex min-h-11 cursor-pointer rounded-control px-3 py-2 forced-colors:aria-selected:outline-2",
        isActive && "bg-hover",
        className,
      )}
      onPointerMove={() => !isActive && onPoint(id)}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      {children}
    </div>
  );
}
