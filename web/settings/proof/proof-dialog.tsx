import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { loadAuthConfig, useAuthConfig } from "../../accounts/auth-config.ts";
import { GoogleButton } from "../../accounts/sign-in/google-button.tsx";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { type Failure, toFailure } from "../../forms/use-sending.ts";
import { useStore } from "../../store/use-store.ts";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { useAccountDetails } from "../account-details.ts";
import { failureText } from "../form/failure-text.ts";
import { settingsApi } from "../settings-api.ts";
import type { SettingsSection } from "../settings-section.ts";
import { answerProof, leaveProof, proofQuestion } from "./proof.ts";
import { ProofForm } from "./proof-form.tsx";

/** Dialog for the proof that `withProof` awaits. Mounted once, for the shown section. */
export function ProofDialog({ section }: { section: SettingsSection }) {
  const { t } = useTranslation("settings");
  const isOpen = useStore(proofQuestion) !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a question is closed with the section that asked it
  useEffect(() => leaveProof, [section]);
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(open) => !open && answerProof(false)}
      title={t("proof.title")}
      description={t("proof.text")}
    >
      <Ways />
    </Dialog>
  );
}

function Ways() {
  const { t } = useTranslation("settings");
  const { googleClientId } = useAuthConfig();
  const { value: details } = useAccountDetails();
  const [failure, setFailure] = useState<Failure | null>(null);
  const hasPassword = details?.hasPassword ?? true;
  const hasGoogle = (details?.hasGoogle ?? false) && googleClientId !== undefined;

  const proveByGoogle = async (idToken: string) => {
    setFailure(null);
    try {
      await settingsApi.prove({ id_token: idToken });
      answerProof(true);
    } catch (error) {
      setFailure(toFailure(error, failureText));
      // A nonce is valid only once.
      await loadAuthConfig();
    }
  };

  return (
    <div className="flex flex-col gap-5">
      <FailureBanner failure={failure} />
      {hasPassword && <ProofForm onProved={() => answerProof(true)} />}
      {hasPassword && hasGoogle && (
        <div className="flex items-center gap-4 text-muted text-sm">
          <span className="h-px flex-1 bg-hairline" />
          {t("proof.or")}
          <span className="h-px flex-1 bg-hairline" />
        </div>
      )}
      {!hasPassword && <p className="text-sm leading-text">{t(hasGoogle ? "proof.googleOnly" : "proof.noWay")}</p>}
      {hasGoogle && (
        <GoogleButton
          text="continue_with"
          busyText={t("proof.googleChecking")}
          missingText={t("google.missing")}
          onToken={proveByGoogle}
        />
      )}
    </div>
  );
}
