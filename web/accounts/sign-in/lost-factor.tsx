import { useState } from "react";
import { useTranslation } from "react-i18next";
import { accountPaths } from "#contract/accounts/paths.ts";
import { LOSS_WAIT_HOURS } from "#contract/accounts/second-factor.ts";
import { api } from "../../api/client.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { useSending } from "../../forms/use-sending.ts";
import { Button } from "../../ui/components/button.tsx";
import { textLink } from "../../ui/components/text-link.ts";
import { Banner } from "../../ui/notifications/banner.tsx";
import { loginErrorText } from "../error-texts.ts";

/** Mails a link to people who have neither the authenticator app nor a recovery code. */
export function LostFactor({ ticket }: { ticket: string }) {
  const { t } = useTranslation("secondStep");
  const [state, setState] = useState<"closed" | "open" | "sent">("closed");
  const { send, isSending, isHeld, failure } = useSending(loginErrorText);
  const mail = async () => {
    await api.post(accountPaths.secondStepLoss, { ticket }, null, { quiet401: true });
    setState("sent");
  };
  if (state === "closed") {
    return (
      <button type="button" className={textLink} onClick={() => setState("open")}>
        {t("lost")}
      </button>
    );
  }
  if (state === "sent") {
    return (
      <Banner tone="success" className="w-full">
        {t("lostSent")}
      </Banner>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <p className="text-pretty leading-text">{t("lostText", { hours: LOSS_WAIT_HOURS })}</p>
      <Button
        variant="secondary"
        className="w-full"
        busy={isSending}
        aria-disabled={isHeld || undefined}
        onClick={() => !isHeld && void send(mail)}
      >
        {t(isSending ? "lostSending" : "lostSend")}
      </Button>
      <FailureBanner failure={failure} />
    </div>
  );
}
