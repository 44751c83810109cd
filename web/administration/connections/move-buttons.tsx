import { MoveDown, MoveUp } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../ui/components/icon-button.tsx";

type MoveButtonsProps = { name: string; index: number; count: number; onMove: (to: number) => void };

/** Buttons that move an entry of a list. They stay mounted at both ends of the list, so that the focus is not lost. */
export function MoveButtons({ name, index, count, onMove }: MoveButtonsProps) {
  const { t } = useTranslation("connections");
  const isFirst = index === 0;
  const isLast = index === count - 1;
  return (
    <span className="flex shrink-0">
      <IconButton
        label={t("order.up", { name })}
        icon={<MoveUp aria-hidden="true" />}
        size="small"
        aria-disabled={isFirst || undefined}
        className="aria-disabled:opacity-35"
        onClick={() => isFirst || onMove(index - 1)}
      />
      <IconButton
        label={t("order.down", { name })}
        icon={<MoveDown aria-hidden="true" />}
        size="small"
        aria-disabled={isLast || undefined}
        className="aria-disabled:opacity-35"
        onClick={() => isLast || onMove(index + 1)}
      />
    </span>
  );
}
