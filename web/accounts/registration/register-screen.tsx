import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useNavigate } from "react-router";
import type { ExchangedClassCode } from "#contract/administration/class-codes.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import type { Failure } from "../../forms/use-sending.ts";
import { Button } from "../../ui/components/button.tsx";
import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";
import { Banner } from "../../ui/notifications/banner.tsx";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { AccountLayout } from "../account-layout.tsx";
import { useAuthConfig } from "../auth-config.ts";
import { loginErrorText } from "../error-texts.ts";
import { NoMailServer } from "../no-mail-server.tsx";
import { PageHeading } from "../page-heading.tsx";
import { signIn } from "../session/session.ts";
import { useFirstStep } from "../sign-in/use-first-step.ts";
import { SsoWays } from "../sso/sso-ways.tsx";
import { SuccessMark } from "../success-mark.tsx";
import { HaveAccount } from "./have-account.tsx";
import { RegisterForm } from "./register-form.tsx";
import { useInvitationKey } from "./use-invitation-key.ts";

const InvitedScreen = lazy(async () => ({ default: (await import("./invited-screen.tsx")).InvitedScreen }));
const classCodeModule = lazyModule(() => import("./class-code-entry.tsx"));

export function RegisterScreen() {
  const { t } = useTranslation(["accounts", "errors"]);
  const { registrationOpen, isSsoOnly = false } = useAuthConfig();
  const [params] = useSearchParams();
  const { key, code, adopt, forget } = useInvitationKey();
  const [exchanged, setExchanged] = useState<ExchangedClassCode | null>(null);
  const [outcome, setOutcome] = useState<{ registered: string } | "signed-in" | null>(null);
  const email = params.get("email") ?? "";
  const finish = (next: typeof outcome) => {
    setOutcome(next);
    forget();
  };
  if (outcome === "signed-in") return <Navigate to="/chat" replace />;
  if (outcome !== null) return <Registered email={outcome.registered} />;
  if (key !== null) {
    return (
      // Within this screen, so that the key leaves the address before the module is loaded.
      <Suspense fallback={<AccountLayout isTall>{null}</AccountLayout>}>
        <InvitedScreen
          key={key}
          invitationKey={key}
          received={exchanged?.key === key ? exchanged : undefined}
          email={email}
          onRegistered={(registered) => finish({ registered })}
          onSignedIn={() => finish("signed-in")}
          onForget={forget}
        />
      </Suspense>
    );
  }
  return (
    <AccountLayout isTall>
      <PageHeading title={t("register.title")} />
      {registrationOpen && !isSsoOnly && (
        <RegisterForm email={email} onDone={(registered) => setOutcome({ registered })} />
      )}
      {!registrationOpen && !isSsoOnly && <Banner tone="info">{t("registration-closed", { ns: "errors" })}</Banner>}
      {(registrationOpen || isSsoOnly) && <Providers onSignedIn={() => setOutcome("signed-in")} />}
      {!isSsoOnly && (
        <ClassCode
          code={code}
          isOpen={!registrationOpen}
          onFound={(found) => {
            setExchanged(found);
            adopt(found.key);
          }}
        />
      )}
      <HaveAccount />
    </AccountLayout>
  );
}

/** The identity providers, whose first sign-in makes an account. */
function Providers({ onSignedIn }: { onSignedIn: () => void }) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const takeFirstStep = useFirstStep();
  return (
    <>
      <SsoWays
        from="/chat"
        takeFirstStep={takeFirstStep}
        onStart={() => setFailure(null)}
        onAnswer={(answer) => {
          signIn(answer);
          onSignedIn();
        }}
        onFailure={(error) => setFailure({ text: loginErrorText(error), error })}
      />
      <FailureBanner failure={failure} className="mt-6" />
    </>
  );
}

type ClassCodeProps = { code: string | null; isOpen: boolean; onFound: (found: ExchangedClassCode) => void };

/** The lazy module of class codes; until it is loaded, the height of its button or field is reserved. */
function ClassCode(props: ClassCodeProps) {
  const entry = useLazyModule(classCodeModule);
  return (
    <div className="mt-8">
      {entry ? (
        <entry.ClassCodeEntry {...props} />
      ) : (
        <div className={props.isOpen ? "min-h-[5.75rem]" : "-mb-5 min-h-8 pointer-coarse:min-h-11"} />
      )}
    </div>
  );
}

function Registered({ email }: { email: string }) {
  const { t } = useTranslation("accounts");
  const navigate = useNavigate();
  const { isMailOnConsole } = useAuthConfig();
  return (
    <AccountLayout>
      <SuccessMark />
      <PageHeading title={t("register.doneTitle")}>{t("register.doneText")}</PageHeading>
      <NoMailServer />
      <div className="flex flex-col gap-3">
        {isMailOnConsole && (
          <Button size="large" onClick={() => navigate(`/verify-email?${new URLSearchParams({ email })}`)}>
            {t("register.enterKey")}
          </Button>
        )}
        <Button size="large" variant={isMailOnConsole ? "secondary" : "primary"} onClick={() => navigate("/login")}>
          {t("register.doneAction")}
        </Button>
      </div>
    </AccountLayout>
  );
}
