import { Pin } from "lucide-react";
import { useTranslation } from "react-i18next";
import { cx } from "../../ui/components/cx.ts";
import { tooltip } from "../../ui/tooltips/tooltip.ts";
import type { ModelRow } from "./model-sections.ts";

type RowPinProps = { option: ModelRow; isActive: boolean; onPin: () => void };

/**
 * Pins a model by mouse or touch. Beside its option, because an option contains no button; hidden from screen readers,
 * which have the button below the list.
 */
export function RowPin({ option, isActive, onPin }: RowPinProps) {
  const { t } = useTranslation("modelSearch");
  const { isPinned, model } = option;
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-hidden="true"
      {...tooltip(t(isPinned ? "unpin" : "pin", { name: model.label }), { isBeside: true })}
      className={cx(
        "absolute inset-y-0 end-0.5 my-auto flex size-8 items-center justify-center rounded-control hover:bg-pressed pointer-coarse:size-11",
        isPinned ? "text-accent" : cx("text-muted", !isActive && "opacity-0 pointer-coarse:opacity-60"),
      )}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPin}
    >
      <Pin className={cx("size-4", isPinned && "fill-current")} />
    </button>
  );
}
