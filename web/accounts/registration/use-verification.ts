import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { verifiedSchema, verifySchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { api } from "../../api/client.ts";
import { ruleText } from "../../api/problem-text.ts";
import { type Failure, useSending } from "../../forms/use-sending.ts";
import { verifyErrorText } from "../error-texts.ts";
import { findOtherAccount } from "../linked-account.ts";
import { currentSession, endOnServer, signIn } from "../session/session.ts";
import { useFirstStep } from "../sign-in/use-first-step.ts";
import { useLinkedKey } from "../use-linked-key.ts";

export type Verification = {
  key: string;
  setKey: (key: string) => void;
  verify: () => Promise<void>;
  isVerifying: boolean;
  /** `before`: the key has verified the account already, and nobody is signed in by it. */
  verified: "now" | "before" | null;
  /** Error of the typed key. */
  keyError: string | null;
  failure: Failure | null;
  /** Set if the key belongs to another account than the one signed in here: it is used only after a click. */
  question: { username: string; answer: () => Promise<void> } | null;
};

/** State of the verification screen. Verifies a key in the address at once and only once, and shows it in the field. */
export function useVerification(): Verification {
  const { t } = useTranslation("accounts");
  const linked = useLinkedKey();
  const [key, setTypedKey] = useState(linked ?? "");
  const [verified, setVerified] = useState<Verification["verified"]>(null);
  const [keyError, setKeyError] = useState<string | null>(null);
  /** Key that awaits the person's confirmation, and the username of its account. */
  const [asked, setAsked] = useState<{ key: string; username: string } | null>(null);
  const { send, isSending, failure, dismiss } = useSending(verifyErrorText);
  const takeFirstStep = useFirstStep();

  const verify = async (typed: string) => {
    dismiss();
    const checked = verifySchema.safeParse({ key: typed });
    setKeyError(checked.success ? null : ruleText(checked.error.issues[0]?.message ?? "key", t("fields.key")));
    if (!checked.success) return;
    await send(async () => {
      const username = await findOtherAccount(checked.data.key);
      if (username === null) await spend(checked.data.key);
      else setAsked({ key: checked.data.key, username });
    });
  };

  const spend = async (good: string) => {
    const { token: before } = currentSession();
    const answer = await takeFirstStep(() => api.post(accountPaths.verify, { key: good }, verifiedSchema));
    if (answer === null) return;
    if ("alreadyVerified" in answer) return setVerified("before");
    signIn(answer);
    setVerified("now");
    if (before !== null) void endOnServer(before);
  };

  // An effect may run twice for one address; a key is valid only once.
  const lastLinked = useRef<string | null>(null);
  useEffect(() => {
    if (linked === null || lastLinked.current === linked) return;
    lastLinked.current = linked;
    setAsked(null);
    setTypedKey(linked);
    void verify(linked);
  });

  const setKey = (typed: string) => {
    setTypedKey(typed);
    setKeyError(null);
  };
  const question = asked && { username: asked.username, answer: () => send(() => spend(asked.key)) };
  return { key, setKey, verify: () => verify(key), isVerifying: isSending, verified, keyError, failure, question };
}
