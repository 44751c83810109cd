import { useRef, useState } from "react";
import { type Failure, toFailure } from "./failure-text.ts";

export type Action<Name> = {
  /**
   * Runs `act` unless something is being done already. Never throws: what it throws becomes the failure. What is read
   * anew afterwards is no part of `act`: presses would be lost meanwhile.
   */
  run: (name: Name, act: () => Promise<void>) => Promise<void>;
  /** What is being done. */
  busy: Name | null;
  failure: Failure | null;
};

/**
 * Things that buttons do, one at a time. The buttons are
 * `aria-disabled` meanwhile: one that is really disabled loses the focus.
 */
export function useAction<Name>(): Action<Name> {
  const [busy, setBusy] = useState<Name | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const isRunning = useRef(false);

  const run = async (name: Name, act: () => Promise<void>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(name);
    setFailure(null);
    try {
      await act();
    } catch (error) {
      setFailure(toFailure(error));
    } finally {
      isRunning.current = false;
      setBusy(null);
    }
  };
  return { run, busy, failure };
}
