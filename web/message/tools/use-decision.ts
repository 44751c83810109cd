import { useState } from "react";
import type { ToolPart } from "#contract/conversation/known-parts.ts";
import type { DecisionAnswer } from "#contract/conversation/tool-calls.ts";
import type { FormAnswers } from "#contract/conversation/tool-forms.ts";
import { useMessageContext } from "../message-context.ts";

/**
 * Sends one decision on a call at a time. `isSending`: the one that is being sent. `error`: the sentence of a failure.
 * `decide` resolves to whether the server has accepted it.
 */
export function useDecision({ seq, digest, attempt }: ToolPart, reply: string | null) {
  const { decide } = useMessageContext();
  const [isSending, setSending] = useState<DecisionAnswer | null>(null);
  const [error, setError] = useState<string | null>(null);
  return {
    isSending,
    error,
    decide: async (answer: DecisionAnswer, answers?: FormAnswers): Promise<boolean> => {
      if (isSending !== null || reply === null || !decide) return false;
      setSending(answer);
      setError(null);
      const failure = await decide({
        reply,
        decisions: [{ seq, digest, attempt, answer, ...(answers && { answers }) }],
      });
      setError(failure);
      setSending(null);
      return failure === null;
    },
  };
}
