import { useRef, useState } from "react";
import { failureText } from "./failure-text.ts";
import { type Failure, useSending } from "./use-sending.ts";

export type RunningAction<Name> = {
  /**
   * Runs `act` unless another action is running. Never throws: an error of `act` becomes the failure. Reloads after the
   * action must not be inside `act`: clicks would be ignored meanwhile.
   */
  run: (name: Name, act: () => Promise<void>) => Promise<void>;
  /** Name of the running action. */
  busy: Name | null;
  failure: Failure | null;
};

/**
 * Runs actions of buttons, one at a time. The buttons are `aria-disabled` meanwhile: a button with `disabled` loses the
 * focus.
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
