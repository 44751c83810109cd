import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";

/**
 * Returns the key in the page's address, or null: from the fragment, which is never sent to a server, or the query
 * (verification, and links mailed by earlier versions). It is a secret, and addresses end up in the history and in
 * screenshots: it is removed from the address at once and stays only in the page's memory.
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
