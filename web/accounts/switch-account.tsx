import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { Button } from "../ui/components/button.tsx";
import { AccountLayout } from "./account-layout.tsx";
import { AccountNames } from "./account-names.tsx";
import { PageHeading } from "./page-heading.tsx";
import type { Verification } from "./registration/use-verification.ts";
import { ReservedFailureBanner } from "./reserved-failure-banner.tsx";

type SwitchAccountProps = Pick<Verification, "isVerifying" | "failure"> & {
  question: NonNullable<Verification["question"]>;
};

/** Names both accounts if a mailed key belongs to another than the signed-in one; uses the key only after a click. */
export function SwitchAccount({ question, isVerifying, failure }: SwitchAccountProps) {
  const { t } = useTranslation("accounts");
  const navigate = useNavigate();
  return (
    <AccountLayout>
      <PageHeading title={t("verify.switchTitle")}>{t("verify.switchText")}</PageHeading>
      <AccountNames username={question.username} />
      <div className="flex flex-col gap-3">
        <Button
          size="large"
          className="w-full"
          busy={isVerifying}
          aria-disabled={isVerifying || undefined}
          onClick={() => !isVerifying && void question.answer()}
        >
          {t(isVerifying ? "verify.submitting" : "verify.switchSubmit")}
        </Button>
        <Button
          variant="secondary"
          size="large"
          className="w-full"
          onClick={() => navigate("/chat", { replace: true })}
        >
          {t("verify.switchStay")}
        </Button>
      </div>
      <ReservedFailureBanner failure={failure} />
    </AccountLayout>
  );
}
