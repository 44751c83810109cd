import { useCallback, useEffect, useRef, useState } from "react";
import { accountPaths } from "#contract/accounts/paths.ts";
import { type ReceivedInvitation, receivedInvitationSchema } from "#contract/administration/invitations.ts";
import { api } from "../../api/client.ts";
import { linkErrorText } from "../error-texts.ts";
import { currentSession, recheckSession } from "../session/session.ts";
import { isDeadInvitation } from "./use-invitation-key.ts";

/** `dead`: unknown, expired, used or revoked. `failed`: the server could not be reached, and `retry` may help. */
export type LinkedInvitation =
  | { state: "looking" | "dead" }
  | { state: "known"; invitation: ReceivedInvitation }
  | { state: "failed"; text: string; error: unknown; retry: () => void };

/**
 * Reads the invitation of a key from the server, without using it, unless it is already `received`. `onDead` marks it as
 * refused later.
 */
export function useInvitation(
  key: string,
  received?: ReceivedInvitation,
): { link: LinkedInvitation; onDead: () => void } {
  const [link, setLink] = useState<LinkedInvitation>(
    received ? { state: "known", invitation: received } : { state: "looking" },
  );

  const read = useCallback(async () => {
    setLink({ state: "looking" });
    try {
      const invitation = await api.post(accountPaths.invitation, { key }, receivedInvitationSchema, {
        quiet401: true,
      });
      // A session that has ended elsewhere must not hide the form.
      if (currentSession().isSignedIn) await recheckSession();
      setLink({ state: "known", invitation });
    } catch (error) {
      if (isDeadInvitation(error)) setLink({ state: "dead" });
      else setLink({ state: "failed", text: linkErrorText(error), error, retry: () => void read() });
    }
  }, [key]);

  // An effect may run twice for one key, and each request counts as an attempt.
  const asked = useRef<string | null>(received ? key : null);
  useEffect(() => {
    if (asked.current === key) return;
    asked.current = key;
    void read();
  }, [key, read]);
  return { link, onDead: useCallback(() => setLink({ state: "dead" }), []) };
}
