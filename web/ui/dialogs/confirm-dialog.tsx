import { AlertDialog } from "radix-ui";
import { useTranslation } from "react-i18next";
import { Button } from "../components/button.tsx";
import { dialogClass, overlayClass } from "./dialog.tsx";
import { useBackGesture } from "./use-back-gesture.ts";
import { useReturnFocus } from "./use-return-focus.ts";

export type ConfirmDialogProps = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  title: string;
  description: string;
  /** Label of the confirming button, a verb. */
  confirmLabel: string;
  onConfirm: () => void;
};

/** Asks for confirmation of an action that cannot be undone. Focus starts on Cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onOpenChange, title, description, confirmLabel, onConfirm } = props;
  const { t } = useTranslation("app");
  const returnFocus = useReturnFocus(isOpen);
  useBackGesture(isOpen);
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={overlayClass} />
        <AlertDialog.Content className={dialogClass} onCloseAutoFocus={returnFocus}>
          <AlertDialog.Title className="font-semibold text-lg">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-2 text-muted text-sm leading-text">
            {description}
          </AlertDialog.Description>
          <div className="mt-6 flex justify-end gap-3">
            <AlertDialog.Cancel asChild>
              <Button variant="secondary">{t("cancel")}</Button>
            </AlertDialog.Cancel>
            <AlertDialog.Action asChild>
              <Button variant="danger" onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
