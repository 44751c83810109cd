import { useCallback, useEffect, useRef, useState } from "react";
import type { MailedKeyAnswer } from "#contract/account-settings.ts";
import { linkErrorText } from "../error-texts.ts";
import { isDeadLink, readMailedKey } from "../linked-account.ts";
import { useLinkedKey } from "../use-linked-key.ts";

/**
 * Whose account a mailed link belongs to. `missing`: there is no key. `dead`: the server knows none such. `failed`: it
 * could not be asked, and `retry` may help.
 */
export type LinkedAccount =
  | { state: "missing" | "looking" | "dead" }
  | { state: "known"; key: string; username: string; onDead: () => void }
  | { state: "failed"; text: string; error: unknown; retry: () => void };

/**
 * Asks the server once for the account of the key in the page's address. That uses nothing up: mail scanners open links
 * and run scripts, so that whatever a link changes waits for a click.
 */
export function useLinkedAccount(purpose: MailedKeyAnswer["purpose"]): LinkedAccount {
  const key = useLinkedKey();
  const [link, setLink] = useState<LinkedAccount>({ state: key === null ? "missing" : "looking" });

  const look = useCallback(
    async (given: string) => {
      setLink({ state: "looking" });
      try {
        const { purpose: found, username } = await readMailedKey(given);
        const onDead = () => setLink({ state: "dead" });
        setLink(found === purpose ? { state: "known", key: given, username, onDead } : { state: "dead" });
      } catch (error) {
        if (isDeadLink(error)) setLink({ state: "dead" });
        else setLink({ state: "failed", text: linkErrorText(error), error, retry: () => void look(given) });
      }
    },
    [purpose],
  );

  // An effect may run twice for one address, and each question counts as a try.
  const asked = useRef<string | null>(null);
  useEffect(() => {
    if (key === null || asked.current === key) return;
    asked.current = key;
    void look(key);
  }, [key, look]);
  return link;
}
