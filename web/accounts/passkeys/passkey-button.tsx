import { Fingerprint } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PasskeyAssertion } from "#contract/accounts/passkeys.ts";
import passkeyTexts from "../../locales/en/passkey.json";
import { i18n, registerTexts } from "../../locales/i18n.ts";
import { Button } from "../../ui/components/button.tsx";
import { loginErrorText } from "../error-texts.ts";
import { webauthnModule } from "./lazy-webauthn.ts";

registerTexts("passkey", passkeyTexts);

type PasskeyButtonProps = {
  label: string;
  onStart: () => void;
  /** Sends what the authenticator answered. What it throws is passed to `onFailure`. */
  onPasskey: (passkey: PasskeyAssertion) => Promise<void>;
  onFailure: (error: unknown) => void;
  /** Called if the person cancels. */
  onCancel?: () => void;
};

/** Button that asks the browser for a passkey. */
export function PasskeyButton({ label, onStart, onPasskey, onFailure, onCancel }: PasskeyButtonProps) {
  const { t } = useTranslation("passkey");
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const run = async () => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    onStart();
    try {
      const passkey = await (await webauthnModule.ask())?.getPasskey();
      if (passkey) await onPasskey(passkey);
      else onCancel?.();
    } catch (error) {
      onFailure(error);
    }
    isRunning.current = false;
    setBusy(false);
  };
  return (
    <Button
      variant="secondary"
      size="large"
      className="w-full"
      busy={isBusy}
      aria-disabled={isBusy || undefined}
      onClick={run}
    >
      <Fingerprint aria-hidden="true" className="size-4" />
      {isBusy ? t("waiting") : label}
    </Button>
  );
}

/** Text of an error of {@link PasskeyButton}. */
export const passkeyErrorText = (error: unknown): string =>
  error instanceof Error && error.name === "PasskeyError" ? i18n.t("passkey:failed") : loginErrorText(error);
