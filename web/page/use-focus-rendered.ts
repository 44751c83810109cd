import { useEffect, useState } from "react";

/**
 * Returns a function that moves the focus to the element with an id once it is rendered: the next entry of a list, for
 * example, because the button that has the focus may be removed.
 */
export function useFocusRendered(): (id: string) => void {
  const [wanted, setWanted] = useState<{ id: string } | null>(null);
  useEffect(() => {
    if (wanted !== null) document.getElementById(wanted.id)?.focus();
  }, [wanted]);
  return (id) => setWanted({ id });
}
