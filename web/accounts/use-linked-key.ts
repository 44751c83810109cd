import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";

/**
 * The key in the page's address, null where there is none. It is a secret, and history and screenshots keep addresses:
 * it is taken out of there at once, and stays in the memory of the page alone.
 */
export function useLinkedKey(): string | null {
  const [params, setParams] = useSearchParams();
  const linked = params.get("key");
  const [key, setKey] = useState(linked);
  useEffect(() => {
    if (linked === null) return;
    setKey(linked);
    setParams(
      (current) => {
        current.delete("key");
        return current;
      },
      { replace: true },
    );
  }, [linked, setParams]);
  return (linked ?? key)?.trim() || null;
}
