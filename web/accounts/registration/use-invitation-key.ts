import { useCallback, useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { ApiError } from "../../api/api-error.ts";
import { readTabStorage, writeTabStorage } from "../../storage/session-storage.ts";

/** Key of session storage. A reload of the page must not lose the invitation, which may exist only in a mail. */
const STORED = "parley.invitation";
const NAME = "The invitation";

/** Removes the invitation that this tab has stored. */
export const forgetInvitation = (): void => writeTabStorage(STORED, null, NAME);

/** Whether the server refuses an invitation for good. */
export const isDeadInvitation = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "bad-invitation";

/**
 * Returns the key of an invitation: that of the address's fragment, which is never sent to a server, or the one that
 * this tab has stored. It is a secret, so it is removed from the address at once. `adopt` stores the key of another
 * invitation, and `forget` removes it everywhere. `code`: a class code of the fragment.
 */
export function useInvitationKey() {
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  const linked = valueIn(hash, "invitation");
  const linkedCode = valueIn(hash, "code");
  const isLinked = linked !== null || linkedCode !== null;
  const [key, setKey] = useState(() => (isLinked ? linked : readTabStorage(STORED)));
  const [code, setCode] = useState(linkedCode);
  const adopt = useCallback((next: string | null) => {
    writeTabStorage(STORED, next, NAME);
    setKey(next);
  }, []);
  useEffect(() => {
    if (!isLinked) return;
    adopt(linked);
    setCode(linkedCode);
    void navigate({ search, hash: "" }, { replace: true });
  }, [isLinked, linked, linkedCode, adopt, search, navigate]);
  const forget = useCallback(() => adopt(null), [adopt]);
  return isLinked ? { key: linked, code: linkedCode, adopt, forget } : { key, code, adopt, forget };
}

const valueIn = (hash: string, name: string) => new URLSearchParams(hash.slice(1)).get(name)?.trim() || null;
