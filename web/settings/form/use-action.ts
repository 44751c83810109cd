import { useRef, useState } from "react";
import { type Failure, useSending } from "../../forms/use-sending.ts";
import { failureText } from "./failure-text.ts";

export type RunningAction<Name> = {
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
 * Things that buttons do, one at a time. The buttons are `aria-disabled` meanwhile: one that is really disabled loses
 * the focus.
 */
export function useAction<Name>(): RunningAction<Name> {
  const { send, isSending, failure } = useSending(failureText);
  const [last, setLast] = useState<Name | null>(null);
  const isRunning = useRef(false);

  const run = async (name: Name, act: () => Promise<void>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setLast(name);
    await send(act);
    isRunning.current = false;
  };
  return { run, busy: isSending ? last : null, failure };
}
