/** Lazy module of the pages before the sign-in, for servers with identity providers. */

import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { SignedIn } from "#contract/accounts/accounts.ts";
import type { OfferedProvider } from "#contract/accounts/identity-providers.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { isAutomaticSignInAllowed, noteHeaderSignIn } from "./header-sign-in.ts";
import { ProviderButton } from "./provider-button.tsx";
import { beginSso } from "./sso-attempt.ts";
import { type TakeFirstStep, useIdentitySignIn } from "./use-identity-sign-in.ts";

export type SsoSignInProps = {
  providers: readonly OfferedProvider[];
  /** Whether people sign in by these providers alone. */
  isOnly: boolean;
  /** Whether the page may sign in without a press, if the only way is the header of a proxy. */
  isAutomatic?: boolean;
  /** Path to open after the sign-in. */
  from: string;
  takeFirstStep: TakeFirstStep;
  /** Key of an invitation, which admits a new account. */
  invitation?: string;
  onStart: () => void;
  /** Receives the answer of a sign-in without a further page. What it throws is passed to `onFailure`. */
  onAnswer: (answer: SignedIn) => void;
  onFailure: (error: unknown) => void;
};

/** A button for each identity provider. */
export default function SsoSignIn({ providers, isOnly, isAutomatic = false, onStart, ...props }: SsoSignInProps) {
  const { t } = useTranslation("sso");
  const { onFailure } = props;
  const signInBy = useProviders(props);
  const only = isOnly && providers.length === 1 ? providers[0] : undefined;
  const signInAtOnce = useEffectEvent(async (provider: OfferedProvider) => {
    try {
      await signInBy(provider);
    } catch (error) {
      onFailure(error);
    }
  });
  useEffect(() => {
    if (isAutomatic && only?.kind === "header" && isAutomaticSignInAllowed()) void signInAtOnce(only);
  }, [isAutomatic, only]);
  return providers.map((provider) => (
    <ProviderButton
      key={provider.slug}
      name={provider.name}
      isMain={provider === only}
      busyText={provider.kind === "header" ? t("signingIn") : t("leaving", { name: provider.name })}
      onPress={() => {
        onStart();
        return signInBy(provider);
      }}
      onFailure={onFailure}
    />
  ));
}

type ProviderProps = Pick<SsoSignInProps, "from" | "takeFirstStep" | "invitation" | "onAnswer">;

/** Returns the function that signs in by a provider, and resolves to whether the page is being left. It throws ApiError. */
function useProviders({ from, takeFirstStep, invitation, onAnswer }: ProviderProps) {
  const navigate = useNavigate();
  const send = useIdentitySignIn(takeFirstStep);
  const admission = invitation === undefined ? {} : { invitation };
  return async ({ slug, kind }: OfferedProvider): Promise<boolean> => {
    if (kind === "oidc") {
      await beginSso({ provider: slug, purpose: "sign-in", from, ...admission });
      return true;
    }
    if (kind === "ldap") {
      void navigate(`/sso/${slug}`, { state: { from, ...admission } });
      return false;
    }
    const answer = await send(accountPaths.ssoHeader, admission);
    if (answer === null) return false;
    noteHeaderSignIn();
    onAnswer(answer);
    return false;
  };
}
