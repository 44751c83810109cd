import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";

/**
 * The key in the page's address, null where there is none: in the fragment, which is never sent to a server, or in the
 * query (verification, and links that were mailed by earlier versions). It is a secret, and history and screenshots keep
 * addresses: it is taken out of there at once, and stays in the memory of the page alone.
 */
export function useLinkedKey(): string | null {
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  const linked = new URLSearchParams(hash.slice(1)).get("key") ?? new URLSearchParams(search).get("key");
  const [key, setKey] = useState(linked);
  useEffect(() => {
    if (linked === null) return;
    setKey(linked);
    const params = new URLSearchParams(search);
    params.delete("key");
    void navigate({ search: params.toString(), hash: "" }, { replace: true });
  }, [linked, search, navigate]);
  return (linked ?? key)?.trim() || null;
}
