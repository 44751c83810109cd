import { useCallback, useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { ApiError } from "../../api/api-error.ts";
import { readTabStorage, writeTabStorage } from "../../storage/session-storage.ts";

/** Key of session storage. A reload of the page must not lose the invitation, which may exist only in a mail. */
const STORED = "parley.invitation";
const NAME = "The invitation";

/** Whether the server refuses an invitation for good. */
export const isDeadInvitation = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "bad-invitation";

/**
 * Returns the key of an invitation: that of the address's fragment, which is never sent to a server, or the one that
 * this tab has stored. It is a secret, so it is removed from the address at once. `forget` removes it everywhere.
 */
export function useInvitationKey(): { key: string | null; forget: () => void } {
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  const linked = new URLSearchParams(hash.slice(1)).get("invitation")?.trim() || null;
  const [key, setKey] = useState(() => linked ?? readTabStorage(STORED));
  useEffect(() => {
    if (linked === null) return;
    setKey(linked);
    writeTabStorage(STORED, linked, NAME);
    void navigate({ search, hash: "" }, { replace: true });
  }, [linked, search, navigate]);
  const forget = useCallback(() => {
    writeTabStorage(STORED, null, NAME);
    setKey(null);
  }, []);
  return { key: linked ?? key, forget };
}
