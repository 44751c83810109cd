import { useTranslation } from "react-i18next";
import { Link } from "../../ui/components/link.tsx";
import { textLink } from "../../ui/components/text-link.ts";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { AccountLayout } from "../account-layout.tsx";
import { NoMailServer } from "../no-mail-server.tsx";
import { PageHeading } from "../page-heading.tsx";
import { SwitchAccount } from "../switch-account.tsx";
import { ResendVerification } from "./resend-verification.tsx";
import { useVerification } from "./use-verification.ts";
import { VerifiedNotice } from "./verified-notice.tsx";
import { VerifyForm } from "./verify-form.tsx";

export function VerifyEmailScreen() {
  const { t } = useTranslation("accounts");
  const [params] = useSearchParams();
  const email = params.get("email") ?? "";
  const verification = useVerification();
  const { verified, question, isVerifying, failure } = verification;
  if (verified) return <VerifiedNotice isBefore={verified === "before"} />;
  if (question) return <SwitchAccount question={question} isVerifying={isVerifying} failure={failure} />;
  return (
    <AccountLayout>
      <PageHeading title={t("verify.title")}>
        {email ? (
          <>
            {t("verify.sentTo")} <strong className="font-medium text-ink">{email}</strong>
          </>
        ) : (
          t("verify.fromEmail")
        )}
      </PageHeading>
      <NoMailServer />
      <VerifyForm verification={verification} />
      <div className="mt-8 flex flex-col gap-3 text-muted text-sm">
        <ResendVerification email={email} />
        <p>
          {t("verify.already")}{" "}
          <Link to="/login" className={textLink}>
            {t("verify.signIn")}
          </Link>
        </p>
      </div>
    </AccountLayout>
  );
}
