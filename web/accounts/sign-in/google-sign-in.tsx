import { useTranslation } from "react-i18next";
import { type SignedIn, signedInSchema } from "#contract/accounts.ts";
import { paths } from "#contract/paths.ts";
import { api } from "../../api/client.ts";
import { loadAuthConfig, useAuthConfig } from "../auth-config.ts";
import { GoogleButton } from "./google-button.tsx";

type GoogleSignInProps = {
  onStart: () => void;
  onSignedIn: (answer: SignedIn) => void;
  onFailure: (error: unknown) => void;
};

/** The "or" divider and Google's own button; renders nothing if the server has no client id. */
export function GoogleSignIn({ onStart, onSignedIn, onFailure }: GoogleSignInProps) {
  const { t } = useTranslation("accounts");
  const { googleClientId, googleNonce } = useAuthConfig();
  if (!googleClientId || !googleNonce) return null;

  const signInWith = async (idToken: string) => {
    onStart();
    try {
      onSignedIn(await api.post(paths.google, { id_token: idToken }, signedInSchema));
    } catch (error) {
      onFailure(error);
      // A nonce is valid only once.
      await loadAuthConfig();
    }
  };

  return (
    <div className="mt-8 flex flex-col gap-6">
      <div className="flex items-center gap-4 text-muted text-sm">
        <span className="h-px flex-1 bg-hairline" />
        {t("or")}
        <span className="h-px flex-1 bg-hairline" />
      </div>
      <GoogleButton
        text="signin_with"
        busyText={t("login.googleSigningIn")}
        missingText={t("login.googleUnavailable")}
        onToken={signInWith}
      />
    </div>
  );
}
