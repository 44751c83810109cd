import { useTranslation } from "react-i18next";
import { type SignedIn, signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { api } from "../../api/client.ts";
import { loadAuthConfig, useAuthConfig } from "../auth-config.ts";
import { GoogleButton } from "./google-button.tsx";
import { useFirstStep } from "./use-first-step.ts";

type GoogleSignInProps = {
  /** Key of an invitation, which admits a new account. */
  invitation?: string;
  onStart: () => void;
  /** Receives the answer. What it throws is passed to `onFailure`. */
  onAnswer: (answer: SignedIn) => void;
  onFailure: (error: unknown) => void;
};

/** The "or" divider and Google's own button; renders nothing if the server has no client id. */
export function GoogleSignIn({ invitation, onStart, onAnswer, onFailure }: GoogleSignInProps) {
  const { t } = useTranslation("accounts");
  const { googleClientId, googleNonce } = useAuthConfig();
  const takeFirstStep = useFirstStep();
  if (!googleClientId || !googleNonce) return null;

  const signInWith = async (idToken: string) => {
    onStart();
    try {
      const body = { id_token: idToken, ...(invitation !== undefined && { invitation }) };
      const answer = await takeFirstStep(() => api.post(accountPaths.google, body, signedInSchema));
      if (answer) return onAnswer(answer);
    } catch (error) {
      onFailure(error);
    }
    // A nonce is valid only once.
    await loadAuthConfig();
  };

  return (
    <div className="mt-8 flex flex-col gap-6">
      <div className="flex items-center gap-4 text-muted text-sm">
        <span className="h-px flex-1 bg-hairline" />
        {t("or")}
        <span className="h-px flex-1 bg-hairline" />
      </div>
      <GoogleButton
        text={invitation === undefined ? "signin_with" : "continue_with"}
        busyText={t("login.googleSigningIn")}
        missingText={t(invitation === undefined ? "login.googleUnavailable" : "invited.googleUnavailable")}
        onToken={signInWith}
      />
    </div>
  );
}
