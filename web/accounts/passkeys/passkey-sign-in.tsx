/** Lazy module of the sign-in page, for servers on which accounts have passkeys. */

import { useEffect, useEffectEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import { signedInSchema } from "#contract/accounts/accounts.ts";
import type { PasskeyAssertion } from "#contract/accounts/passkeys.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { MINUTE } from "#contract/limits.ts";
import { api } from "../../api/client.ts";
import type { Failure } from "../../forms/use-sending.ts";
import { log } from "../../log.ts";
import { notify } from "../../ui/notifications/notify.ts";
import { useGoToSettings } from "../../ui/use-go-to-settings.ts";
import { signIn } from "../session/session.ts";
import { webauthnModule } from "./lazy-webauthn.ts";
import { PasskeyButton, passkeyErrorText } from "./passkey-button.tsx";

/** The server's challenges expire after five minutes. */
const NEW_CHALLENGE_AFTER_MS = 4 * MINUTE;

export type PasskeySignInProps = { onStart: () => void; onFailure: (failure: Failure) => void };

/** Signs in by a passkey: by a button, or by the suggestions of the field for the username. */
export default function PasskeySignIn({ onStart, onFailure }: PasskeySignInProps) {
  const { t } = useTranslation("passkey");
  const send = useSend();
  const fail = (error: unknown) => onFailure({ text: passkeyErrorText(error), error });
  const { pause, suggestAgain } = useSuggestions(send, fail);
  return (
    <PasskeyButton
      label={t("signIn")}
      onStart={() => {
        pause();
        onStart();
      }}
      onPasskey={send}
      onFailure={(error) => {
        fail(error);
        suggestAgain();
      }}
      onCancel={suggestAgain}
    />
  );
}

/** Returns the function that signs in. It throws ApiError. */
function useSend() {
  const { t } = useTranslation("passkey");
  const goToSettings = useGoToSettings();
  return async (passkey: PasskeyAssertion) => {
    const answer = await api.post(accountPaths.passkeySignIn, { passkey }, signedInSchema, { quiet401: true });
    signIn(answer);
    if (answer.isRestored !== true) return;
    const action = { label: t("openSecurity"), run: () => goToSettings("security") };
    notify("info", t("restored"), { action });
  };
}

/** Lets the browser suggest passkeys in the field for the username while the page is open. */
function useSuggestions(send: (passkey: PasskeyAssertion) => Promise<void>, fail: (error: unknown) => void) {
  /** Another request would end the one of the button. */
  const isPaused = useRef(false);
  const suggest = useEffectEvent(async () => {
    if (isPaused.current) return;
    let isChosen = false;
    try {
      const passkey = await (await webauthnModule.load()).getPasskey({ isAutofill: true });
      isChosen = passkey !== null;
      if (passkey) await send(passkey);
    } catch (cause) {
      // A failure to suggest is no answer to an action of the person; a failure of the chosen passkey is.
      if (!isChosen) return log.warn("Passkeys are not suggested", cause);
      fail(cause);
      void suggest();
    }
  });
  useEffect(() => {
    void suggest();
    const timer = setInterval(() => void suggest(), NEW_CHALLENGE_AFTER_MS);
    return () => {
      clearInterval(timer);
      webauthnModule.get()?.endPasskeyRequest();
    };
  }, []);
  const pause = () => {
    isPaused.current = true;
  };
  const suggestAgain = () => {
    isPaused.current = false;
    void suggest();
  };
  return { pause, suggestAgain };
}
