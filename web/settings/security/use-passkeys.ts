import { type RefObject, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Passkey, PasskeyList } from "#contract/accounts/passkeys.ts";
import { loadAuthConfig } from "../../accounts/auth-config.ts";
import { webauthnModule } from "../../accounts/passkeys/lazy-webauthn.ts";
import { useAction } from "../../forms/use-action.ts";
import { withProof } from "../../proof/proof.ts";
import type { QueryResult } from "../../queries/use-query.ts";
import { passkeysApi } from "./passkeys-api.ts";

/** Step in which the row of one passkey is. */
export type PasskeyStep = { kind: "rename" | "remove"; passkey: Passkey };

/** State of the section. `heading` takes the focus when a focused control is removed. */
export function usePasskeys(
  { value: list, change }: QueryResult<PasskeyList>,
  { heading, onChanged }: { heading: RefObject<HTMLElement | null>; onChanged: () => void },
) {
  const { t } = useTranslation("secondFactor");
  const { run, busy, failure } = useAction<"add" | "remove">();
  const [step, setStep] = useState<PasskeyStep | null>(null);
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const clear = () => {
    setConfirmation(null);
    setProblem(null);
  };
  const open = (next: PasskeyStep) => {
    clear();
    setStep(next);
  };
  const finish = (passkeys: Passkey[], text: string) => {
    if (list) change({ ...list, passkeys });
    setStep(null);
    setConfirmation(text);
    heading.current?.focus({ preventScroll: true });
  };

  const add = () =>
    run("add", async () => {
      clear();
      const webauthn = await webauthnModule.ask();
      if (!webauthn || !list) return;
      if (!webauthn.hasPasskeySupport()) return setProblem(t("passkeys.unsupported"));
      const creation = await withProof(passkeysApi.begin);
      try {
        const made = await webauthn.createPasskey(creation);
        if (!made) return;
        const added = await withProof(() => passkeysApi.add(made));
        finish([added, ...list.passkeys], t("passkeys.added"));
        onChanged();
        // From now on the sign-in page offers passkeys.
        void loadAuthConfig();
      } catch (error) {
        if (!(error instanceof webauthn.PasskeyError)) throw error;
        setProblem(t(error.isKnown ? "passkeys.already" : "passkeys.failed"));
      }
    });
  /** Throws ApiError. */
  const rename = async (passkey: Passkey, name: string) => {
    await passkeysApi.rename(passkey.id, name);
    const renamed = (list?.passkeys ?? []).map((one) => (one.id === passkey.id ? { ...one, name } : one));
    finish(renamed, t("passkeys.renamed"));
  };
  const remove = ({ id }: Passkey) =>
    run("remove", async () => {
      clear();
      await withProof(() => passkeysApi.remove(id));
      finish(
        (list?.passkeys ?? []).filter((one) => one.id !== id),
        t("passkeys.removed"),
      );
      onChanged();
      void loadAuthConfig();
    });
  return { step, open, close: () => setStep(null), add, rename, remove, busy, failure, problem, confirmation };
}
