import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

export type Reveal = {
  isOpen: boolean;
  open: () => void;
  close: () => void;
  /** For the button that opens it: it gets the focus back. */
  trigger: RefObject<HTMLButtonElement | null>;
};

/** A form that a button opens in its own place. */
export function useReveal(): Reveal {
  const [isOpen, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const hasBeenOpen = useRef(false);
  useEffect(() => {
    if (!isOpen && hasBeenOpen.current) trigger.current?.focus();
    hasBeenOpen.current = isOpen;
  }, [isOpen]);
  return {
    isOpen,
    open: useCallback(() => setOpen(true), []),
    close: useCallback(() => setOpen(false), []),
    trigger,
  };
}
