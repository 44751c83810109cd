import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { TestMail } from "#contract/administration/setup.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormStatus } from "../../forms/form-status.tsx";
import { useAction } from "../../forms/use-action.ts";
import { withProof } from "../../proof/proof.ts";
import { Button } from "../../ui/components/button.tsx";
import { Banner } from "../../ui/notifications/banner.tsx";
import { installationApi } from "./installation-api.ts";

/** Whether mails are delivered, and a test mail to the own address. */
export function MailStep({ isSet }: { isSet: boolean }) {
  const { t } = useTranslation("installation");
  const { run, busy, failure } = useAction<"test">();
  const [result, setResult] = useState<TestMail | null>(null);
  const send = () =>
    run("test", async () => {
      setResult(null);
      setResult(await withProof(() => installationApi.sendTestMail()));
    });
  return (
    <div className="flex flex-col items-start gap-3 px-4 pt-2 pb-4 text-sm sm:px-5">
      <p className="text-pretty break-words text-muted leading-text">
        {isSet ? t("setup.mailDone") : `${t("setup.mailText")} ${t("setup.mailFiles")}`}
      </p>
      <FailureBanner failure={failure} />
      <Button
        variant="secondary"
        size="small"
        busy={busy !== null}
        aria-disabled={busy !== null || undefined}
        onClick={() => void send()}
      >
        {t(busy === null ? "setup.testMail" : "setup.testingMail")}
      </Button>
      <FormStatus
        text={
          result?.state === "sent"
            ? t(isSet ? "setup.testMailSent" : "setup.testMailFiled", { address: result.to })
            : null
        }
      />
      {result?.state === "refused" && <Banner>{t("setup.testMailRefused")}</Banner>}
      {result?.state === "waiting" && <Banner tone="warning">{t("setup.testMailWaiting")}</Banner>}
    </div>
  );
}
