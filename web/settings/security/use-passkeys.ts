import { type RefObject, useState } from "react";
import { useTranslation } from "react-i18next";
import type { BeginPasskey, Passkey, PasskeyList } from "#contract/accounts/passkeys.ts";
import { loadAuthConfig } from "../../accounts/auth-config.ts";
import { webauthnModule } from "../../accounts/passkeys/lazy-webauthn.ts";
import { useAction } from "../../forms/use-action.ts";
import { withProof } from "../../proof/proof.ts";
import type { QueryResult } from "../../queries/use-query.ts";
import { passkeysApi } from "./passkeys-api.ts";

/** Step of a change: the code that permits another passkey, or the change of one. */
export type PasskeyStep = { kind: "code" } | { kind: "rename" | "remove"; passkey: Passkey };

/**
 * Lets the browser make a passkey, and adds it. @param onBegun called once the server permits it. @returns the key of the
 * text that says why there is none; null if the person cancels
 */
async function makePasskey(request: BeginPasskey, onBegun: () => void) {
  const webauthn = await webauthnModule.ask();
  if (!webauthn) return null;
  if (!webauthn.hasPasskeySupport()) return "passkeys.unsupported";
  const creation = await withProof(() => passkeysApi.begin(request));
  onBegun();
  try {
    const made = await webauthn.createPasskey(creation);
    return made && (await withProof(() => passkeysApi.add(made)));
  } catch (error) {
    if (!(error instanceof webauthn.PasskeyError)) throw error;
    return error.isKnown ? "passkeys.already" : "passkeys.failed";
  }
}

type PasskeyChanges = {
  /** Takes the focus when a focused control is removed. */
  heading: RefObject<HTMLElement | null>;
  /** Whether another passkey needs a code of the second factor. */
  needsCode: boolean;
  onChanged: () => void;
};

/** State of the section. */
export function usePasskeys(
  { value: list, change }: QueryResult<PasskeyList>,
  { heading, needsCode, onChanged }: PasskeyChanges,
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

  const addBy = async (request: BeginPasskey) => {
    clear();
    // A code is accepted once: its form closes.
    const made = await makePasskey(request, () => setStep(null));
    if (made === null) return;
    if (typeof made === "string") return setProblem(t(made));
    finish([made, ...(list?.passkeys ?? [])], t("passkeys.added"));
    onChanged();
    // From now on the sign-in page offers passkeys.
    void loadAuthConfig();
  };
  const add = () => (needsCode ? open({ kind: "code" }) : void run("add", () => addBy({})));
  /** Throws ApiError. */
  const sendCode = (code: string) => addBy({ code });
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
  return {
    step,
    open,
    close: () => setStep(null),
    add,
    sendCode,
    rename,
    remove,
    busy,
    failure,
    problem,
    confirmation,
  };
}
