/** Lazy module of `/mcp/return`: the page to which the sign-in of a tool server leads back. */

import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import { errorSentences } from "#contract/errors.ts";
import { AccountLayout } from "../../accounts/account-layout.tsx";
import { PageHeading } from "../../accounts/page-heading.tsx";
import { useSession } from "../../accounts/session/session.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import toolSignIn from "../../locales/en/toolSignIn.json";
import { registerTexts } from "../../locales/i18n.ts";
import { Button } from "../../ui/components/button.tsx";
import { Spinner } from "../../ui/components/spinner.tsx";
import { Banner } from "../../ui/notifications/banner.tsx";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { TOOLS_PATH, type ToolReturn, useToolReturn } from "./use-tool-return.ts";

registerTexts("errors", errorSentences);
registerTexts("toolSignIn", toolSignIn);

export default function ToolReturnScreen() {
  const { t } = useTranslation("toolSignIn");
  const { search } = useLocation();
  const { isSignedIn } = useSession();
  const answer = useReturnedAnswer();
  // The navigation that removes the parameters would undo one of the completion.
  if (search !== "") return <Working />;
  if (!isSignedIn) return <Refused text={t("signedOut")} />;
  return answer ? <Completion answer={answer} /> : <Refused text={t("missing")} />;
}

/** Returns the parameters of the address, and removes them from it at once: a code is a secret, and valid once. */
function useReturnedAnswer(): ToolReturn | null {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const { search } = useLocation();
  const [answer] = useState(() => ({
    state: params.get("state"),
    code: params.get("code"),
    iss: params.get("iss"),
    error: params.get("error"),
  }));
  useEffect(() => {
    if (search !== "") void navigate({ search: "" }, { replace: true });
  }, [search, navigate]);
  return answer.state === null ? null : { ...answer, state: answer.state };
}

function Completion({ answer }: { answer: ToolReturn }) {
  const { t } = useTranslation("toolSignIn");
  const navigate = useNavigate();
  const failure = useToolReturn(answer);
  if (failure === null) return <Working />;
  return (
    <AccountLayout>
      <PageHeading title={t("failedTitle")} />
      <FailureBanner failure={failure} className="mb-6" />
      <Button size="large" className="w-full" onClick={() => void navigate(TOOLS_PATH, { replace: true })}>
        {t("open")}
      </Button>
    </AccountLayout>
  );
}

/** Shown if there is nothing to complete. */
function Refused({ text }: { text: string }) {
  const { t } = useTranslation("toolSignIn");
  const navigate = useNavigate();
  const { isSignedIn } = useSession();
  const proceed = () =>
    isSignedIn
      ? navigate(TOOLS_PATH, { replace: true })
      : navigate("/login", { replace: true, state: { from: TOOLS_PATH } });
  return (
    <AccountLayout>
      <PageHeading title={t("failedTitle")} />
      <Banner className="mb-6">
        <p>{text}</p>
      </Banner>
      <Button size="large" className="w-full" onClick={() => void proceed()}>
        {t(isSignedIn ? "open" : "signIn")}
      </Button>
    </AccountLayout>
  );
}

function Working() {
  const { t } = useTranslation("toolSignIn");
  return (
    <AccountLayout>
      <PageHeading title={t("title")} />
      <p role="status" className="flex items-center gap-2 text-muted">
        <Spinner />
        {t("checking")}
      </p>
    </AccountLayout>
  );
}
