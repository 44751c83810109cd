import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { signedInSchema, verifySchema } from "#contract/accounts.ts";
import { paths } from "#contract/paths.ts";
import { api } from "../api/client.ts";
import { ruleText } from "../api/problem-text.ts";
import { verifyErrorText } from "./error-texts.ts";
import { signIn } from "./session.ts";

export type Verification = {
  key: string;
  setKey: (key: string) => void;
  verify: () => Promise<void>;
  isVerifying: boolean;
  isVerified: boolean;
  /** Something is wrong with what was typed. */
  keyError: string | null;
  failure: { text: string; error: unknown } | null;
};

/**
 * The state of the verification screen. A key in the address is taken into the field, removed from the address (it
 * is a secret, and history and screenshots keep addresses) and verified at once, each key once.
 */
export function useVerification(): Verification {
  const { t } = useTranslation("accounts");
  const [params, setParams] = useSearchParams();
  const [key, setTypedKey] = useState(() => params.get("key") ?? "");
  const [isVerifying, setVerifying] = useState(false);
  const [isVerified, setVerified] = useState(false);
  const [keyError, setKeyError] = useState<string | null>(null);
  const [failure, setFailure] = useState<Verification["failure"]>(null);

  const verifyKey = useCallback(
    async (typed: string) => {
      setFailure(null);
      const checked = verifySchema.safeParse({ key: typed });
      setKeyError(checked.success ? null : ruleText(checked.error.issues[0]?.message ?? "key", t("fields.key")));
      if (!checked.success) return;
      setVerifying(true);
      try {
        signIn(await api.post(paths.verify, checked.data, signedInSchema));
        setVerified(true);
      } catch (error) {
        setFailure({ text: verifyErrorText(error), error });
      } finally {
        setVerifying(false);
      }
    },
    [t],
  );

  // An effect may run twice for one address; a key is good only once.
  const lastLinked = useRef<string | null>(null);
  const linked = params.get("key");
  useEffect(() => {
    if (linked === null || lastLinked.current === linked) return;
    lastLinked.current = linked;
    setTypedKey(linked);
    setParams(
      (current) => {
        current.delete("key");
        return current;
      },
      { replace: true },
    );
    if (linked.trim() !== "") void verifyKey(linked);
  }, [linked, setParams, verifyKey]);

  const setKey = (typed: string) => {
    setTypedKey(typed);
    setKeyError(null);
  };
  return { key, setKey, verify: () => verifyKey(key), isVerifying, isVerified, keyError, failure };
}
