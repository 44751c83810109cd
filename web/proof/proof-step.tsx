import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PasskeyAssertion } from "#contract/accounts/passkeys.ts";
import { loadAuthConfig, useAuthConfig } from "../accounts/auth-config.ts";
import { PasskeyButton, passkeyErrorText } from "../accounts/passkeys/passkey-button.tsx";
import { GoogleButton } from "../accounts/sign-in/google-button.tsx";
import { FailureBanner } from "../forms/failure-banner.tsx";
import { failureText } from "../forms/failure-text.ts";
import { type Failure, toFailure } from "../forms/use-sending.ts";
import { useAccountDetails } from "../queries/account-details.ts";
import { Button } from "../ui/components/button.tsx";
import { lazyModule, useLazyModule } from "../ui/lazy/lazy-module.ts";
import { answerProof } from "./proof.ts";
import { prove } from "./proof-api.ts";
import { ProofForm } from "./proof-form.tsx";

const proofByProviderModule = lazyModule(async () => (await import("./proof-by-provider.tsx")).default);

/** Content of the dialog that asks for a proof: by each way that the account has, or the reason why there is none. */
export function ProofStep() {
  const { t } = useTranslation(["settings", "passkey"]);
  const { googleClientId } = useAuthConfig();
  const { value: details } = useAccountDetails();
  const cancelButton = useRef<HTMLButtonElement>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const hasPassword = details?.hasPassword ?? true;
  const hasPasskeys = details?.hasPasskeys ?? false;
  const hasGoogle = (details?.hasGoogle ?? false) && googleClientId !== undefined;
  const hasIdentities = details?.hasIdentities ?? false;
  const ProofByProvider = useLazyModule(proofByProviderModule, hasIdentities);

  // The password field takes the focus itself.
  useEffect(() => {
    if (!hasPassword) cancelButton.current?.focus();
  }, [hasPassword]);

  const proveByGoogle = async (idToken: string) => {
    setFailure(null);
    try {
      await prove({ id_token: idToken });
      answerProof(true);
    } catch (error) {
      setFailure(toFailure(error, failureText));
      // A nonce is valid only once.
      await loadAuthConfig();
    }
  };

  const proveByPasskey = async (passkey: PasskeyAssertion) => {
    await prove({ passkey });
    answerProof(true);
  };

  const cancel = (
    <Button ref={cancelButton} variant="secondary" onClick={() => answerProof(false)}>
      {t("form.cancel")}
    </Button>
  );

  return (
    <div className="flex flex-col gap-5">
      <FailureBanner failure={failure} />
      {hasPassword && <ProofForm onProved={() => answerProof(true)}>{cancel}</ProofForm>}
      {hasPassword && (hasGoogle || hasPasskeys || hasIdentities) && <OrDivider />}
      {!hasPassword && (hasGoogle || !(hasPasskeys || hasIdentities)) && (
        <p className="text-sm leading-text">{t(hasGoogle ? "proof.googleOnly" : "proof.noWay")}</p>
      )}
      {hasGoogle && (
        <GoogleButton
          text="continue_with"
          busyText={t("proof.googleChecking")}
          missingText={t("google.missing")}
          onToken={proveByGoogle}
        />
      )}
      {hasPasskeys && (
        <PasskeyButton
          label={t("passkey:use")}
          onStart={() => setFailure(null)}
          onPasskey={proveByPasskey}
          onFailure={(error) => setFailure({ text: passkeyErrorText(error), error })}
        />
      )}
      {ProofByProvider && (
        <ProofByProvider
          isOnly={!hasPassword && !hasGoogle && !hasPasskeys}
          onStart={() => setFailure(null)}
          onFailure={(error) => setFailure(toFailure(error, failureText))}
        />
      )}
      {!hasPassword && <div className="flex justify-end">{cancel}</div>}
    </div>
  );
}

function OrDivider() {
  const { t } = useTranslation("settings");
  return (
    <div className="flex items-center gap-4 text-muted text-sm">
      <span className="h-px flex-1 bg-hairline" />
      {t("proof.or")}
      <span className="h-px flex-1 bg-hairline" />
    </div>
  );
}
