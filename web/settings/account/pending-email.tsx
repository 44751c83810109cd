import { Clock } from "lucide-react";
import { useTranslation } from "react-i18next";
import { NoMailServer } from "../../accounts/no-mail-server.tsx";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { useAction } from "../../forms/use-action.ts";
import { withProof } from "../../proof/proof.ts";
import { Button } from "../../ui/components/button.tsx";
import { settingsApi } from "../settings-api.ts";

type PendingEmailProps = {
  email: string;
  /** Called with the address that is pending from now on, and the success message. */
  onDone: (pending: string | null, text: string) => void;
};

/** Address that is not confirmed yet, with buttons to resend the mail and to cancel the change. */
export function PendingEmail({ email, onDone }: PendingEmailProps) {
  const { t } = useTranslation("settings");
  const { run, busy, failure } = useAction<"again" | "cancel">();
  const isHeld = busy !== null || undefined;

  const again = () =>
    run("again", async () => {
      await withProof(() => settingsApi.askForEmail(email));
      onDone(email, t("email.done", { email }));
    });
  const cancel = () =>
    run("cancel", async () => {
      await withProof(settingsApi.cancelEmail);
      onDone(null, t("email.cancelled"));
    });

  return (
    <div className="flex flex-col gap-3 border-hairline border-t px-4 py-4 sm:px-5">
      <FailureBanner failure={failure} />
      <div className="flex items-start gap-2.5">
        <Clock aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
        <div className="min-w-0">
          <p className="break-words font-medium text-sm">{t("email.pending", { email })}</p>
          <p className="mt-0.5 text-muted text-sm leading-text">{t("email.pendingText")}</p>
          <NoMailServer className="mt-1 text-muted text-sm leading-text" />
        </div>
      </div>
      <div className="flex flex-wrap gap-2 ps-6.5">
        <Button variant="secondary" size="small" busy={busy === "again"} aria-disabled={isHeld} onClick={again}>
          {t("email.again")}
        </Button>
        <Button variant="quiet" size="small" busy={busy === "cancel"} aria-disabled={isHeld} onClick={cancel}>
          {t("email.cancelPending")}
        </Button>
      </div>
    </div>
  );
}
