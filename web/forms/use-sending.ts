import { useState } from "react";
import { useWait } from "./use-wait.ts";

/** Failure and its sentence; `FailureBanner` adds advice if the server could not be reached. */
export type Failure = { text: string; error: unknown };

/** Returns the sentence for an error; null if nothing is to be shown. */
export type TextOf = (error: unknown) => string | null;

export function toFailure(error: unknown, textOf: TextOf): Failure | null {
  const text = textOf(error);
  return text === null ? null : { text, error };
}

export type Sending = {
  /** Never throws: an error of `act` becomes the failure. */
  send: (act: () => Promise<void>) => Promise<void>;
  isSending: boolean;
  failure: Failure | null;
  dismiss: () => void;
  /** Whether a request is running, or the server asked to wait before the next one. */
  isHeld: boolean;
};

/** Tracks the submission of a form: whether it is running, and its failure. */
export function useSending(textOf: TextOf): Sending {
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const { leftMs } = useWait(failure?.error);

  const send = async (act: () => Promise<void>) => {
    setFailure(null);
    setSending(true);
    try {
      await act();
    } catch (error) {
      setFailure(toFailure(error, textOf));
    } finally {
      setSending(false);
    }
  };
  return { send, isSending, failure, dismiss: () => setFailure(null), isHeld: isSending || leftMs > 0 };
}
