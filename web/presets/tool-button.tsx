import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { Button } from "../ui/components/button.tsx";
import { cx } from "../ui/components/cx.ts";
import { tooltip } from "../ui/tooltips/tooltip.ts";

type ToolButtonProps = Omit<ComponentProps<"button">, "title"> & {
  /** Accessible name, with the choice in it. */
  label: string;
  icon: LucideIcon;
  isChosen: boolean;
};

/**
 * Button of a menu beside the model, with the choice as its children. It gives way to the model's name: a phone shows
 * the icon alone, with a dot if something is chosen; on a wider screen the text shrinks first.
 */
export function ToolButton({ label, icon: Icon, isChosen, className, children, ...trigger }: ToolButtonProps) {
  return (
    <Button
      variant="quiet"
      size="small"
      aria-label={label}
      {...tooltip(label)}
      className={cx(
        "min-w-8 shrink-[9999] px-2 font-normal text-muted data-[state=open]:bg-hover pointer-coarse:min-w-11",
        className,
      )}
      {...trigger}
    >
      <span className={cx("relative", isChosen && "max-sm:text-accent")}>
        <Icon aria-hidden="true" className="size-4" />
        {/* A border, because forced colours remove backgrounds. */}
        {isChosen && <span className="absolute -end-1.5 -top-1 rounded-full border-3 border-accent sm:hidden" />}
      </span>
      {children && (
        <span dir="auto" className="max-w-40 truncate max-sm:hidden">
          {children}
        </span>
      )}
    </Button>
  );
}
