import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { Button } from "../../ui/button.tsx";
import { AccountLayout } from "../account-layout.tsx";
import { PageHeading } from "../page-heading.tsx";
import type { LoginState } from "../path-after-sign-in.ts";
import { currentSession, recheckSession, useSession } from "../session.ts";
import { SuccessMark } from "../success-mark.tsx";
import { useLinkedKey } from "../use-linked-key.ts";
import { BackToSignIn } from "./back-to-sign-in.tsx";
import { ResetForm } from "./reset-form.tsx";

export function ResetPasswordScreen() {
  const { t } = useTranslation("accounts");
  const key = useLinkedKey();
  /** The key that the server did not know. */
  const [dead, setDead] = useState<string | null>(null);
  /** The server's sentence, where this browser stays signed in: with another account. */
  const [done, setDone] = useState<string | null>(null);
  const navigate = useNavigate();
  const titleId = useId();

  const finish = async (sentence: string) => {
    // The sessions of the account are over, this browser's among them.
    await recheckSession();
    if (currentSession().isSignedIn) {
      setDone(sentence);
      return;
    }
    const state: LoginState = { notice: sentence };
    void navigate("/login", { replace: true, state });
  };

  if (done !== null) return <Done sentence={done} />;
  if (key === null || key === dead) return <DeadLink isMissing={key === null} />;
  return (
    <AccountLayout>
      <PageHeading id={titleId} title={t("reset.title")}>
        {t("reset.text")}
      </PageHeading>
      <ResetForm key={key} linkedKey={key} titleId={titleId} onDone={finish} onDeadLink={() => setDead(key)} />
      <BackToSignIn />
    </AccountLayout>
  );
}

function Done({ sentence }: { sentence: string }) {
  const { t } = useTranslation("accounts");
  const { user } = useSession();
  const navigate = useNavigate();
  return (
    <AccountLayout>
      <SuccessMark />
      <PageHeading title={t("reset.doneTitle")}>
        {sentence} {user && t("reset.stillSignedIn", { username: user.username })}
      </PageHeading>
      <Button size="large" className="w-full" onClick={() => navigate("/chat")}>
        {t("reset.toChats")}
      </Button>
    </AccountLayout>
  );
}

function DeadLink({ isMissing }: { isMissing: boolean }) {
  const { t } = useTranslation(["accounts", "errors"]);
  const navigate = useNavigate();
  return (
    <AccountLayout>
      <PageHeading title={t(isMissing ? "link.missingTitle" : "link.deadTitle")}>
        {isMissing ? t("reset.missingText") : t("reset.deadText")}
      </PageHeading>
      <Button size="large" className="w-full" onClick={() => navigate("/forgot-password")}>
        {t("reset.newLink")}
      </Button>
      <BackToSignIn />
    </AccountLayout>
  );
}
