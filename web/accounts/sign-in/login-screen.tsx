import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useLocation, useNavigate } from "react-router";
import type { Failure } from "../../forms/use-sending.ts";
import { useStore } from "../../store/use-store.ts";
import { Link } from "../../ui/components/link.tsx";
import { textLink } from "../../ui/components/text-link.ts";
import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";
import { Banner } from "../../ui/notifications/banner.tsx";
import { AccountLayout } from "../account-layout.tsx";
import { useAuthConfig } from "../auth-config.ts";
import { googleErrorText, loginErrorText } from "../error-texts.ts";
import { PageHeading } from "../page-heading.tsx";
import { ReservedFailureBanner } from "../reserved-failure-banner.tsx";
import { signIn, useSession } from "../session/session.ts";
import { SsoWays } from "../sso/sso-ways.tsx";
import { GoogleSignIn } from "./google-sign-in.tsx";
import { LoginForm } from "./login-form.tsx";
import { noticeOf, pathAfterSignIn } from "./path-after-sign-in.ts";
import { secondStep } from "./second-step.ts";
import { useFirstStep } from "./use-first-step.ts";

const passkeySignInModule = lazyModule(async () => (await import("../passkeys/passkey-sign-in.tsx")).default);

/** `onSubmitting`: called when a sign-in is sent, so that the next page can be preloaded. */
export function LoginScreen({ onSubmitting }: { onSubmitting?: () => void }) {
  const { t } = useTranslation("accounts");
  const { productName, registrationOpen, hasPasskeys = false, isSsoOnly = false } = useAuthConfig();
  const { isSignedIn, ended } = useSession();
  // Wrong credentials end a session with an expired token too, and have a message of their own.
  const [wasLost] = useState(ended === "lost");
  const location = useLocation();
  const navigate = useNavigate();
  const [failure, setFailure] = useState<Failure | null>(null);
  const titleId = useId();
  const step = useStore(secondStep);
  const isPasskeyOffered = hasPasskeys && !isSsoOnly;
  const PasskeySignIn = useLazyModule(passkeySignInModule, isPasskeyOffered);
  const notice = noticeOf(location.state);

  if (step) return <step.Screen ticket={step.ticket} onExpired={setFailure} />;
  if (isSignedIn) return <Navigate to={pathAfterSignIn(location.state)} replace />;

  const verifyFirst = (typed: string) =>
    void navigate({ pathname: "/verify-email", search: `?${new URLSearchParams({ email: typed })}` });

  return (
    <AccountLayout>
      <PageHeading id={titleId} title={t("login.title", { product: productName })}>
        {t("login.subtitle")}
      </PageHeading>
      {notice !== null && (
        <Banner tone="success" className="mb-5">
          {notice}
        </Banner>
      )}
      {wasLost && notice === null && (
        <Banner tone="info" className="mb-5">
          {t("login.lost")}
        </Banner>
      )}
      {!isSsoOnly && (
        <LoginForm
          titleId={titleId}
          failure={failure}
          onFailure={setFailure}
          onUnverified={verifyFirst}
          onSubmitting={onSubmitting}
        />
      )}
      {isPasskeyOffered && (
        // The form is centred: without the space it would move once the button is loaded.
        <div className="mt-3 min-h-11">
          {PasskeySignIn && <PasskeySignIn onStart={() => setFailure(null)} onFailure={setFailure} />}
        </div>
      )}
      <OtherWays from={pathAfterSignIn(location.state)} onFailure={setFailure} />
      {isSsoOnly && <ReservedFailureBanner failure={failure} />}
      {registrationOpen && !isSsoOnly && (
        <p className="mt-8 text-muted text-sm">
          {t("login.newHere")}{" "}
          <Link to="/register" className={textLink}>
            {t("login.createAccount")}
          </Link>
        </p>
      )}
    </AccountLayout>
  );
}

/** Google and the identity providers. Where people sign in by these alone, Google comes second. */
function OtherWays({ from, onFailure }: { from: string; onFailure: (failure: Failure | null) => void }) {
  const { googleClientId, isSsoOnly = false } = useAuthConfig();
  const shared = { onAnswer: signIn, onStart: () => onFailure(null) };
  const takeFirstStep = useFirstStep();
  const google = <GoogleSignIn {...shared} onFailure={(error) => onFailure({ text: googleErrorText(error), error })} />;
  return (
    <>
      {!isSsoOnly && google}
      <SsoWays
        {...shared}
        from={from}
        takeFirstStep={takeFirstStep}
        isAutomatic
        isContinued={googleClientId !== undefined && !isSsoOnly}
        onFailure={(error) => onFailure({ text: loginErrorText(error), error })}
      />
      {isSsoOnly && google}
    </>
  );
}
