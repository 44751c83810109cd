import { useState } from "react";
import { useTranslation } from "react-i18next";
import { SECOND } from "#contract/limits.ts";
import { Button, type ButtonProps } from "../ui/components/button.tsx";
import { ConfirmDialog } from "../ui/dialogs/confirm-dialog.tsx";
import { notify } from "../ui/notifications/notify.ts";
import { shareFailureText } from "./share-texts.ts";
import { revokeShare } from "./shares-query.ts";

const NOTIFICATION_MS = 6 * SECOND;

type RevokeButtonProps = Pick<ButtonProps, "variant" | "size"> & {
  id: string;
  /** Accessible name. */
  label: string;
  /** Called once the link is gone, and the button with it. */
  onRevoked: () => void;
};

/** Button that asks whether to revoke a link, and revokes it. */
export function RevokeButton({ id, label, onRevoked, ...button }: RevokeButtonProps) {
  const { t } = useTranslation("shares");
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const revoke = async () => {
    setBusy(true);
    try {
      await revokeShare(id);
      notify("info", t("revoked"), { durationMs: NOTIFICATION_MS });
      onRevoked();
    } catch (cause) {
      notify("error", shareFailureText(cause));
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        aria-label={label}
        busy={isBusy}
        aria-disabled={isBusy || undefined}
        onClick={() => !isBusy && setAsking(true)}
        {...button}
      >
        {t("revoke")}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={t("confirm.title")}
        description={t("confirm.text")}
        confirmLabel={t("confirm.button")}
        onConfirm={() => void revoke()}
      />
    </>
  );
}
