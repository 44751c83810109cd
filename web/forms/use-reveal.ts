import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

export type Reveal = {
  isOpen: boolean;
  open: () => void;
  close: () => void;
  /** Ref of the button that opens the form; it takes the focus when the form closes. */
  trigger: RefObject<HTMLButtonElement | null>;
};

/** State of a form that replaces the button which opens it. */
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
