import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { Button } from "../../ui/components/button.tsx";
import { Spinner } from "../../ui/components/spinner.tsx";
import { AccountLayout } from "../account-layout.tsx";
import { AccountNames, useOtherUser } from "../account-names.tsx";
import { LinkFailure } from "../link-failure.tsx";
import { PageHeading } from "../page-heading.tsx";
import { currentSession, recheckSession, useSession } from "../session/session.ts";
import type { LoginState } from "../sign-in/path-after-sign-in.ts";
import { SuccessMark } from "../success-mark.tsx";
import { BackToSignIn } from "./back-to-sign-in.tsx";
import { ResetForm } from "./reset-form.tsx";
import { type LinkedAccount, useLinkedAccount } from "./use-linked-account.ts";
import "./recovery-texts.ts";

export function ResetPasswordScreen() {
  const { t } = useTranslation(["accounts", "recovery"]);
  const link = useLinkedAccount("reset-password");
  if (link.state === "known") return <NewPassword key={link.key} link={link} />;
  if (link.state === "missing" || link.state === "dead") return <DeadLink isMissing={link.state === "missing"} />;
  return (
    <AccountLayout>
      {link.state === "failed" ? (
        <LinkFailure title={t("recovery:reset.title")} link={link} />
      ) : (
        <>
          <PageHeading title={t("recovery:reset.title")}>{t("link.looking")}</PageHeading>
          <Spinner className="text-muted" />
        </>
      )}
    </AccountLayout>
  );
}

function NewPassword({ link: { key, username, onDead } }: { link: LinkedAccount & { state: "known" } }) {
  const { t } = useTranslation(["accounts", "recovery"]);
  /** The server's sentence; set only if this browser stays signed in with another account. */
  const [done, setDone] = useState<string | null>(null);
  const hasOther = useOtherUser(username) !== null;
  const navigate = useNavigate();
  const titleId = useId();

  const finish = async (sentence: string) => {
    // The reset has ended all sessions of the account, including this browser's.
    await recheckSession();
    if (currentSession().isSignedIn) {
      setDone(sentence);
      return;
    }
    const state: LoginState = { notice: sentence };
    void navigate("/login", { replace: true, state });
  };

  if (done !== null) return <Done sentence={done} />;
  return (
    <AccountLayout>
      <PageHeading id={titleId} title={t("recovery:reset.title")}>
        {t(hasOther ? "recovery:reset.otherText" : "recovery:reset.text")} {hasOther && t("link.otherUntouched")}
      </PageHeading>
      <AccountNames username={username} />
      <ResetForm linkedKey={key} titleId={titleId} onDone={finish} onDeadLink={onDead} />
      <BackToSignIn />
    </AccountLayout>
  );
}

function Done({ sentence }: { sentence: string }) {
  const { t } = useTranslation(["accounts", "recovery"]);
  const { user } = useSession();
  const navigate = useNavigate();
  return (
    <AccountLayout>
      <SuccessMark />
      <PageHeading title={t("recovery:reset.doneTitle")}>
        {sentence} {user && t("link.stillSignedIn", { username: user.username })}
      </PageHeading>
      <Button size="large" className="w-full" onClick={() => navigate("/chat")}>
        {t("recovery:reset.toChats")}
      </Button>
    </AccountLayout>
  );
}

function DeadLink({ isMissing }: { isMissing: boolean }) {
  const { t } = useTranslation(["accounts", "recovery"]);
  const navigate = useNavigate();
  return (
    <AccountLayout>
      <PageHeading title={t(isMissing ? "link.missingTitle" : "link.deadTitle")}>
        {isMissing ? t("recovery:reset.missingText") : t("recovery:reset.deadText")}
      </PageHeading>
      <Button size="large" className="w-full" onClick={() => navigate("/forgot-password")}>
        {t("recovery:reset.newLink")}
      </Button>
      <BackToSignIn />
    </AccountLayout>
  );
}
