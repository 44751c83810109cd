/** Lazy module of `/sso/PROVIDER`: the page that a provider returns to, and the form for a directory. */

import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useLocation, useNavigate, useParams } from "react-router";
import { defaultConfig } from "../../api/default-config.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import sso from "../../locales/en/sso.json";
import { registerTexts } from "../../locales/i18n.ts";
import { Button } from "../../ui/components/button.tsx";
import { Spinner } from "../../ui/components/spinner.tsx";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { AccountLayout } from "../account-layout.tsx";
import { useAuthConfig } from "../auth-config.ts";
import { PageHeading } from "../page-heading.tsx";
import { DirectoryScreen } from "./directory-screen.tsx";
import { type ProviderReturn, useCompletion } from "./use-completion.ts";

registerTexts("sso", sso);

export default function SsoScreen() {
  const { t } = useTranslation("sso");
  const { provider = "" } = useParams();
  const { search } = useLocation();
  const answer = useProviderReturn();
  if (answer === null) return <WithoutAnswer slug={provider} />;
  // The navigation that removes the parameters would undo one of the completion.
  if (search !== "") return <Working text={t("checking")} />;
  return <Completion provider={provider} answer={answer} />;
}

/**
 * Returns the parameters with which a provider has sent the browser here; null without any. They are removed from the
 * address at once: a code is a secret, and valid once.
 */
function useProviderReturn(): ProviderReturn | null {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const { search, state } = useLocation();
  const [answer] = useState(() => ({
    code: params.get("code"),
    state: params.get("state"),
    iss: params.get("iss"),
    error: params.get("error"),
  }));
  useEffect(() => {
    if (search !== "") void navigate({ search: "" }, { replace: true, state });
  }, [search, state, navigate]);
  return answer.code === null && answer.error === null ? null : answer;
}

/** The form of a directory; other addresses have nothing to show. */
function WithoutAnswer({ slug }: { slug: string }) {
  const { t } = useTranslation(["sso", "app"]);
  const config = useAuthConfig();
  const { state }: { state: unknown } = useLocation();
  if (config === defaultConfig) return <Working text={t("app:loading")} />;
  const directory = config.identityProviders?.find((provider) => provider.slug === slug && provider.kind === "ldap");
  return directory ? <DirectoryScreen directory={directory} /> : <Navigate to="/login" replace state={state} />;
}

function Completion({ provider, answer }: { provider: string; answer: ProviderReturn }) {
  const { t } = useTranslation(["sso", "accounts"]);
  const navigate = useNavigate();
  const failed = useCompletion(provider, answer);
  if (failed === null) return <Working text={t("checking")} />;
  const { failure, back } = failed;
  return (
    <AccountLayout>
      <PageHeading title={t("failedTitle")} />
      <FailureBanner failure={failure} className="mb-6" />
      <Button size="large" className="w-full" onClick={() => void navigate(back, { replace: true })}>
        {t(back === "/login" ? "accounts:link.back" : "back")}
      </Button>
    </AccountLayout>
  );
}

function Working({ text }: { text: string }) {
  const { t } = useTranslation("sso");
  return (
    <AccountLayout>
      <PageHeading title={t("title")} />
      <p role="status" className="flex items-center gap-2 text-muted">
        <Spinner />
        {text}
      </p>
    </AccountLayout>
  );
}
