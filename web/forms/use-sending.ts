import { useState } from "react";
import { useWait } from "./use-wait.ts";

/** A failure and its sentence; the banner that shows it adds what to do where no answer came at all. */
export type Failure = { text: string; error: unknown };

/** The sentence for an error; null where there is nothing to tell. */
export type TextOf = (error: unknown) => string | null;

export function toFailure(error: unknown, textOf: TextOf): Failure | null {
  const text = textOf(error);
  return text === null ? null : { text, error };
}

export type Sending = {
  /** Never throws: what `act` throws becomes the failure. */
  send: (act: () => Promise<void>) => Promise<void>;
  isSending: boolean;
  failure: Failure | null;
  dismiss: () => void;
  /** It is being sent, or the server asked to wait before the next time. */
  isHeld: boolean;
};

/** What every form does: whether it is on its way, and what came of it where it failed. */
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
