import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError, api } from "../../api/client.ts";
import { linkErrorText } from "../error-texts.ts";
import { recheckSession } from "../session.ts";
import { useLinkedKey } from "../use-linked-key.ts";

/**
 * What became of a mailed link. `missing`: there is no key. `dead`: the server knows none such. `failed`: it could not be tried,
 * and `retry` may help.
 */
export type MailedLink =
  | { state: "working" | "done" | "missing" | "dead" }
  | { state: "failed"; text: string; error: unknown; retry: () => void };

/**
 * Submits the key of the page's address as soon as the page is open, once: opening the address alone, as mail scanners
 * do, consumes nothing. Who is signed in here is looked at anew after that.
 */
export function useMailedLink(path: string): MailedLink {
  const key = useLinkedKey();
  const [link, setLink] = useState<MailedLink>({ state: key === null ? "missing" : "working" });

  const submit = useCallback(
    async (given: string) => {
      setLink({ state: "working" });
      try {
        await api.post(path, { key: given }, null);
        await recheckSession();
        setLink({ state: "done" });
      } catch (error) {
        if (error instanceof ApiError && error.status === 400 && error.code !== undefined) setLink({ state: "dead" });
        else setLink({ state: "failed", text: linkErrorText(error), error, retry: () => void submit(given) });
      }
    },
    [path],
  );

  // An effect may run twice for one address; a key is good only once.
  const submitted = useRef<string | null>(null);
  useEffect(() => {
    if (key === null || submitted.current === key) return;
    submitted.current = key;
    void submit(key);
  }, [key, submit]);
  return link;
}
