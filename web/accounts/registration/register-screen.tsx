import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useSearchParams } from "react-router";
import { Button } from "../../ui/components/button.tsx";
import { textLink } from "../../ui/components/text-link.ts";
import { Banner } from "../../ui/notifications/banner.tsx";
import { AccountLayout } from "../account-layout.tsx";
import { useAuthConfig } from "../auth-config.ts";
import { NoMailServer } from "../no-mail-server.tsx";
import { PageHeading } from "../page-heading.tsx";
import { SuccessMark } from "../success-mark.tsx";
import { RegisterForm } from "./register-form.tsx";

export function RegisterScreen() {
  const { t } = useTranslation(["accounts", "errors"]);
  const { registrationOpen } = useAuthConfig();
  const [params] = useSearchParams();
  const [isDone, setDone] = useState(false);
  if (isDone) return <Registered />;
  return (
    <AccountLayout isTall>
      <PageHeading title={t("register.title")} />
      {registrationOpen ? (
        <RegisterForm email={params.get("email") ?? ""} onDone={() => setDone(true)} />
      ) : (
        <Banner tone="info">{t("registration-closed", { ns: "errors" })}</Banner>
      )}
      <p className="mt-8 text-muted text-sm">
        {t("register.haveAccount")}{" "}
        <Link to="/login" className={textLink}>
          {t("register.signIn")}
        </Link>
      </p>
    </AccountLayout>
  );
}

function Registered() {
  const { t } = useTranslation("accounts");
  const navigate = useNavigate();
  return (
    <AccountLayout>
      <SuccessMark />
      <PageHeading title={t("register.doneTitle")}>{t("register.doneText")}</PageHeading>
      <NoMailServer />
      <Button size="large" className="w-full" onClick={() => navigate("/login")}>
        {t("register.doneAction")}
      </Button>
    </AccountLayout>
  );
}
