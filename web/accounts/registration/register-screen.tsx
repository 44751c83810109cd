import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useNavigate, useSearchParams } from "react-router";
import { Button } from "../../ui/components/button.tsx";
import { Banner } from "../../ui/notifications/banner.tsx";
import { AccountLayout } from "../account-layout.tsx";
import { useAuthConfig } from "../auth-config.ts";
import { NoMailServer } from "../no-mail-server.tsx";
import { PageHeading } from "../page-heading.tsx";
import { SuccessMark } from "../success-mark.tsx";
import { HaveAccount } from "./have-account.tsx";
import { RegisterForm } from "./register-form.tsx";
import { useInvitationKey } from "./use-invitation-key.ts";

const InvitedScreen = lazy(async () => ({ default: (await import("./invited-screen.tsx")).InvitedScreen }));

export function RegisterScreen() {
  const { t } = useTranslation(["accounts", "errors"]);
  const { registrationOpen } = useAuthConfig();
  const [params] = useSearchParams();
  const { key, forget } = useInvitationKey();
  const [outcome, setOutcome] = useState<"registered" | "signed-in" | null>(null);
  const email = params.get("email") ?? "";
  const finish = (next: typeof outcome) => {
    setOutcome(next);
    forget();
  };
  if (outcome === "signed-in") return <Navigate to="/chat" replace />;
  if (outcome === "registered") return <Registered />;
  if (key !== null) {
    return (
      // Within this screen, so that the key leaves the address before the module is loaded.
      <Suspense fallback={<AccountLayout isTall>{null}</AccountLayout>}>
        <InvitedScreen
          key={key}
          invitationKey={key}
          email={email}
          onRegistered={() => finish("registered")}
          onSignedIn={() => finish("signed-in")}
          onForget={forget}
        />
      </Suspense>
    );
  }
  return (
    <AccountLayout isTall>
      <PageHeading title={t("register.title")} />
      {registrationOpen ? (
        <RegisterForm email={email} onDone={() => setOutcome("registered")} />
      ) : (
        <Banner tone="info">{t("registration-closed", { ns: "errors" })}</Banner>
      )}
      <HaveAccount />
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
