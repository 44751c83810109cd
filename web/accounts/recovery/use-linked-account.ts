import { useCallback, useEffect, useRef, useState } from "react";
import type { MailedKeyAnswer } from "#contract/accounts/account-settings.ts";
import { linkErrorText } from "../error-texts.ts";
import { isDeadLink, readMailedKey } from "../linked-account.ts";
import { useLinkedKey } from "../use-linked-key.ts";

/**
 * State of a mailed link and its account. `missing`: no key. `dead`: the key is unknown to the server. `failed`: the
 * server could not be reached, and `retry` may help.
 */
export type LinkedAccount =
  | { state: "missing" | "looking" | "dead" }
  | { state: "known"; key: string; username: string; onDead: () => void }
  | { state: "failed"; text: string; error: unknown; retry: () => void };

/**
 * Reads the account of the key in the page's address once from the server. This does not use up the key: mail scanners
 * open links and run scripts, so every change by a link requires a click.
 */
export function useLinkedAccount(purpose: MailedKeyAnswer["purpose"]): LinkedAccount {
  const key = useLinkedKey();
  const [link, setLink] = useState<LinkedAccount>({ state: key === null ? "missing" : "looking" });

  const read = useCallback(
    async (given: string) => {
      setLink({ state: "looking" });
      try {
        const { purpose: found, username } = await readMailedKey(given);
        const onDead = () => setLink({ state: "dead" });
        setLink(found === purpose ? { state: "known", key: given, username, onDead } : { state: "dead" });
      } catch (error) {
        if (isDeadLink(error)) setLink({ state: "dead" });
        else setLink({ state: "failed", text: linkErrorText(error), error, retry: () => void read(given) });
      }
    },
    [purpose],
  );

  // An effect may run twice for one address, and each request counts as an attempt.
  const asked = useRef<string | null>(null);
  useEffect(() => {
    if (key === null || asked.current === key) return;
    asked.current = key;
    void read(key);
  }, [key, read]);
  return link;
}
