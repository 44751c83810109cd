import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { Spinner } from "../../ui/components/spinner.tsx";
import { AccountLayout } from "../account-layout.tsx";
import { PageHeading } from "../page-heading.tsx";
import { SuccessMark } from "../success-mark.tsx";

const REDIRECT_DELAY_MS = 2000;

/**
 * Confirms that the account is active, and then opens the chats; the sign-in if its key was used before (`isBefore`),
 * which signs nobody in.
 */
export function VerifiedNotice({ isBefore }: { isBefore: boolean }) {
  const { t } = useTranslation("accounts");
  const navigate = useNavigate();
  useEffect(() => {
    const next = isBefore ? "/login" : "/chat";
    const timer = setTimeout(() => void navigate(next, { replace: true }), REDIRECT_DELAY_MS);
    return () => clearTimeout(timer);
  }, [navigate, isBefore]);
  return (
    <AccountLayout>
      <SuccessMark />
      <PageHeading title={t("verify.doneTitle")}>{t(isBefore ? "verify.beforeText" : "verify.doneText")}</PageHeading>
      <Spinner className="text-muted" />
    </AccountLayout>
  );
}
